import { Badge, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import type { AgentSummary } from '#contracts/chat-ops/agents.ts';
import type { Group } from '#contracts/chat-ops/groups.ts';
import { agentsQuery, groupsQuery } from '../../api/people.ts';
import { isAdministrator, useSession } from '../../api/session.ts';
import { Icon } from '../../design/icon.tsx';
import { Avatar } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { Row, RowList } from '../../editing/row-list.tsx';
import { AgentLimit } from './agent-limit.tsx';
import { ROLE_LABELS } from './labels.ts';
import { StatusLabel } from './status-label.tsx';
import { t } from './t.ts';

const namesOf = (login: string, groups: Group[]): string =>
  groups
    .filter(({ agents }) => agents?.includes(login))
    .map(({ name }) => name)
    .join(', ');

const isFound = ({ name, login }: AgentSummary, searchText: string): boolean =>
  `${name} ${login}`.toLowerCase().includes(searchText.trim().toLowerCase());

export const AgentsList = () => {
  const agents = useQuery(agentsQuery);
  const { data: groups = [] } = useQuery(groupsQuery);
  const [search, setSearch] = useState('');
  const searchText = useDeferredValue(search);
  const canEdit = isAdministrator(useSession());
  return (
    <Loaded query={agents}>
      {(all) => {
        const found = all.filter((agent) => isFound(agent, searchText));
        return (
          <>
            <TextInput
              aria-label={t('searchAgents')}
              placeholder={t('searchByNameOrEmail')}
              leftSection={<Icon name="search" size={16} />}
              maw={360}
              mb="sm"
              value={search}
              onChange={({ currentTarget }) => setSearch(currentTarget.value)}
            />
            {found.length === 0 ? (
              <Empty title={t('noMatchingAgents')} />
            ) : (
              <RowList label={t('agents')}>
                {found.map(({ login, name, avatar, permission, status }) => (
                  <Row
                    key={login}
                    lead={<Avatar name={name} image={avatar} />}
                    title={name}
                    detail={[login, namesOf(login, groups)].filter(Boolean).join(' · ')}
                    aside={
                      <>
                        {permission !== 'normal' && <Badge variant="light">{ROLE_LABELS[permission]}</Badge>}
                        <AgentLimit login={login} />
                        <StatusLabel status={status} />
                      </>
                    }
                    {...(canEdit ? { to: '/team/$', path: `agents/${login}` } : {})}
                  />
                ))}
              </RowList>
            )}
          </>
        );
      }}
    </Loaded>
  );
};
