import { useQuery } from '@tanstack/react-query';
import { listBots } from '#contracts/configuration/bots.ts';
import { call } from '../../api/call.ts';
import { Page } from '../../design/page.tsx';
import { Avatar } from '../../design/person.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { AddLink } from '../../editing/add-link.tsx';
import { BackLink } from '../../editing/back-link.tsx';
import { QueryRows, Row } from '../../editing/row-list.tsx';
import { BotEditor, botsKey } from './bot-editor.tsx';
import { ROUTING_STATUSES } from './labels.ts';
import { StatusLabel } from './status-label.tsx';
import { t } from './t.ts';

const back = <BackLink to="/team/$" path="bots" label={t('bots')} />;

const useBots = () => useQuery({ queryKey: botsKey, queryFn: () => call(listBots, { body: {} }) });

export const BotsList = () => (
  <QueryRows
    label={t('bots')}
    query={useBots()}
    empty={
      <Empty title={t('noBotsYet')} action={<AddLink to="/team/$" path="bots/new" label={t('addBot')} />}>
        {t('botsAreAppsThatReply')}
      </Empty>
    }
  >
    {({ id, name, avatar, job_title, max_chats_count, routing_status }) => (
      <Row
        key={id}
        to="/team/$"
        path={`bots/${id}`}
        lead={<Avatar name={name} image={avatar} />}
        title={name}
        detail={[job_title, t('limit', { count: max_chats_count })].filter(Boolean).join(' · ')}
        aside={<StatusLabel status={ROUTING_STATUSES[routing_status]} />}
      />
    )}
  </QueryRows>
);

export const NewBot = () => (
  <Page title={t('newBot')} about={t('anAppThatRepliesTo')} actions={back}>
    <BotEditor />
  </Page>
);

export const EditBot = ({ id }: { id: string }) => {
  const query = useBots();
  const bot = query.data?.find((one) => one.id === id);
  return (
    <Page title={bot?.name ?? t('bot')} actions={back}>
      <Loaded query={query}>
        {() => (bot ? <BotEditor key={id} bot={bot} /> : <Empty title={t('thisBotNoLongerExists')} />)}
      </Loaded>
    </Page>
  );
};
