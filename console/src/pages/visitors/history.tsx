import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listChats } from '#contracts/chat-ops/chats.ts';
import { callRest } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { Loaded } from '../../design/states.tsx';
import { formatSpan, formatTime } from '../../design/time-ago.tsx';
import classes from './visitors.module.css';

const MOST = 10;

/** The latest chats of a visitor. */
export const History = ({ visitorId }: { visitorId: string }) => {
  const query = useQuery({
    queryKey: [...keys.archives, 'of-visitor', visitorId],
    queryFn: async () => (await callRest(listChats, { query: { visitor_id: visitorId } })).chats.slice(0, MOST),
  });
  return (
    <Loaded query={query} empty="None yet.">
      {(chats) => (
        <ul className={classes.history}>
          {chats.map(({ id, started_timestamp, duration, agents }) => (
            <li key={id}>
              <Link to="/archives/$" params={{ _splat: id }} search={{ visitor: visitorId } as never}>
                {formatTime(started_timestamp * 1000)}
              </Link>{' '}
              · {formatSpan(duration)} · {agents.map(({ display_name }) => display_name).join(', ') || 'no agent'}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  );
};
