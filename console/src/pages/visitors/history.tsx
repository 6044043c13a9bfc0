import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getCustomerHistory } from '#contracts/agent/customers.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { useAgentName } from '../../api/people.ts';
import { keys } from '../../api/queries.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { Loaded } from '../../design/states.tsx';
import { formatTime } from '../../design/time-ago.tsx';
import { Section } from './section.tsx';
import { t } from './t.ts';
import classes from './visitors.module.css';

type History = ResponseOf<typeof getCustomerHistory>;

const Chats = ({ threads }: Pick<History, 'threads'>) => {
  const nameOf = useAgentName();
  if (threads.length === 0) return <Dimmed>{t('noChatsYet')}</Dimmed>;
  return (
    <ul className={classes.history}>
      {threads.map(({ chat_id, thread_id, active, created_at, agent_ids }) => (
        <li key={thread_id}>
          {active ? (
            <Link to="/chats/$chatId" params={{ chatId: chat_id }}>
              {t('inProgress')}
            </Link>
          ) : (
            <Link to="/archives/$" params={{ _splat: thread_id }}>
              {formatTime(created_at)}
            </Link>
          )}{' '}
          · {agent_ids.map(nameOf).join(', ') || t('unassigned')}
        </li>
      ))}
    </ul>
  );
};

const Visits = ({ visits }: Pick<History, 'visits'>) => (
  <ul className={classes.history}>
    {visits.map(({ started_at, pages_count, pages }) => (
      <li key={started_at}>
        {formatTime(started_at)} · {t('pageCount', { count: pages_count })}
        <small>{pages.at(-1)?.title || pages.at(-1)?.url}</small>
      </li>
    ))}
  </ul>
);

const Goals = ({ goals }: Pick<History, 'goals'>) => (
  <ul className={classes.history}>
    {goals.map(({ goal_id, name, reached_at, sale }) => (
      <li key={`${goal_id} ${reached_at}`}>
        {name} · {formatTime(reached_at)}
        {sale?.price && <small>{[sale.price, sale.currency].filter(Boolean).join(' ')}</small>}
      </li>
    ))}
  </ul>
);

/** Earlier chats, goals and visits. */
export const History = ({ visitorId }: { visitorId: string }) => {
  const query = useQuery({
    queryKey: [...keys.customer(visitorId), 'history'],
    queryFn: () => call(getCustomerHistory, { body: { id: visitorId } }),
  });
  return (
    <Loaded query={query}>
      {({ threads, visits, goals }) => (
        <>
          <Section title={t('chats')}>
            <Chats threads={threads} />
          </Section>
          {goals.length > 0 && (
            <Section title={t('goals')}>
              <Goals goals={goals} />
            </Section>
          )}
          {visits.length > 1 && (
            <Section title={t('visits')}>
              <Visits visits={visits} />
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
};
