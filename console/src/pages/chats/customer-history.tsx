import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ArchivedChat, listChats, type ReachedGoal } from '#contracts/chat-ops/chats.ts';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { formatTime } from '../../design/time-ago.tsx';
import type { LiveChat } from '../../realtime/chats/state.ts';
import classes from './customer-panel.module.css';
import { PanelSection } from './panel-section.tsx';
import { t } from './t.ts';

const MILLI = 1000;

const Goal = ({ goal }: { goal: ReachedGoal }) => (
  <li>
    <Text size="sm">{goal.name}</Text>
    <Dimmed size="xs">
      {formatTime(goal.timestamp * MILLI)}
      {goal.order?.price && ` · ${goal.order.price} ${goal.order.currency ?? ''}`}
    </Dimmed>
  </li>
);

const Earlier = ({ chat }: { chat: ArchivedChat }) => (
  <li>
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Link to="/archives/$" params={{ _splat: chat.id }}>
        {formatTime(chat.started_timestamp * MILLI)}
      </Link>
      {chat.rate !== 'not_rated' && (
        <Badge size="xs" variant="light" color={chat.rate === 'rated_good' ? 'accent' : 'red'}>
          {chat.rate === 'rated_good' ? t('good') : t('bad')}
        </Badge>
      )}
    </Group>
    <Dimmed size="xs" lineClamp={1}>
      {chat.agents.map(({ display_name: name }) => name).join(', ') || t('noAgent')}
    </Dimmed>
  </li>
);

/** Goals the customer reached, and earlier chats. */
export const CustomerHistory = ({ id, chat }: { id: string; chat: LiveChat }) => {
  const { data } = useQuery({
    queryKey: [...keys.customer(id), 'history', chat.threadId],
    queryFn: () => callRest(listChats, { query: { visitor_id: id, include_pending: 1 } }),
    enabled: id !== '',
  });
  const chats = data?.chats ?? [];
  const goals = chats.flatMap((one) => one.goals ?? []);
  const earlier = chats.filter((one) => one.id !== chat.threadId);
  return (
    <>
      {goals.length > 0 && (
        <PanelSection id="goals" title={t('goalsReached')}>
          <ul className={classes.pages}>
            {goals.map((goal) => (
              <Goal key={`${goal.id} ${goal.timestamp}`} goal={goal} />
            ))}
          </ul>
        </PanelSection>
      )}
      {earlier.length > 0 && (
        <PanelSection
          id="chats"
          title={t('earlierChatsCount', { count: data!.total - (chats.length - earlier.length) })}
        >
          <ul className={classes.pages}>
            {earlier.map((one) => (
              <Earlier key={one.id} chat={one} />
            ))}
          </ul>
        </PanelSection>
      )}
    </>
  );
};
