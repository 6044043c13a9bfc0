import { useQuery } from '@tanstack/react-query';
import { groupsQuery } from '../../api/people.ts';
import { isAdministrator, useSession } from '../../api/session.ts';
import { QueryRows, Row } from '../../editing/row-list.tsx';
import { languageName } from './labels.ts';
import { StatusLabel } from './status-label.tsx';
import { t } from './t.ts';

const describe = (agents: string[] | undefined): string => {
  if (!agents) return t('allAgents');
  return t('agentCount', { count: agents.length });
};

export const GroupsList = () => {
  const groups = useQuery(groupsQuery);
  const canEdit = isAdministrator(useSession());
  return (
    <QueryRows label={t('groups')} query={groups}>
      {({ id, name, language, agents, status }) => (
        <Row
          key={id}
          title={name}
          detail={`${describe(agents)} · ${languageName(language)}`}
          aside={<StatusLabel status={status} />}
          {...(canEdit ? { to: '/team/$', path: `groups/${id}` } : {})}
        />
      )}
    </QueryRows>
  );
};
