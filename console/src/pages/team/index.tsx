import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isAdministrator, useSession } from '../../api/session.ts';
import { Page } from '../../design/page.tsx';
import { AddLink } from '../../editing/add-link.tsx';
import { ForAdministrators } from '../../editing/for-administrators.tsx';
import { AgentsList } from './agents-list.tsx';
import { BotsList, EditBot, NewBot } from './bot-pages.tsx';
import { EditAgent } from './edit-agent.tsx';
import { EditGroup, NewGroup } from './group-pages.tsx';
import { GroupsList } from './groups-list.tsx';
import { NewAgent } from './new-agent.tsx';
import { t } from './t.ts';
import { TeamTabs } from './team-tabs.tsx';
import { useAgentStatuses } from './use-agent-statuses.ts';

interface List {
  add: string;
  path: string;
  list: ReactNode;
}

const LISTS: Record<string, List> = {
  '': { add: t('inviteAgent'), path: 'agents/new', list: <AgentsList /> },
  groups: { add: t('addGroup'), path: 'groups/new', list: <GroupsList /> },
  bots: { add: t('addBot'), path: 'bots/new', list: <BotsList /> },
};

const TeamList = ({ name }: { name: string }) => {
  const canEdit = isAdministrator(useSession());
  const { add, path, list } = LISTS[name] ?? LISTS['']!;
  return (
    <Page title={t('team')} actions={canEdit && <AddLink to="/team/$" path={path} label={add} />}>
      <TeamTabs current={name} withBots={canEdit} />
      {list}
    </Page>
  );
};

const Editor = ({ kind, id }: { kind: string; id: string }) => {
  const isNew = id === 'new';
  if (kind === 'groups') return isNew ? <NewGroup /> : <EditGroup key={id} id={Number(id)} />;
  if (kind === 'bots') return isNew ? <NewBot /> : <EditBot key={id} id={id} />;
  return isNew ? <NewAgent /> : <EditAgent key={id} login={id} />;
};

export const TeamPage = () => {
  useAgentStatuses();
  const { _splat: rest = '' } = useParams({ strict: false });
  const [kind = '', id] = rest.split('/');
  const canEdit = isAdministrator(useSession());
  if (id) {
    return (
      <ForAdministrators title={t('team')}>
        <Editor kind={kind} id={id} />
      </ForAdministrators>
    );
  }
  return <TeamList name={kind === 'groups' || (kind === 'bots' && canEdit) ? kind : ''} />;
};
