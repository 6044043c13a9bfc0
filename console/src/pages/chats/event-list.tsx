import { memo } from 'react';
import { formatDay } from '../../design/time-ago.tsx';
import type { ChatEvent, User } from '../../realtime/chats/state.ts';
import { EventView } from './event-view.tsx';
import classes from './messages.module.css';

interface EventListProps {
  events: ChatEvent[];
  users: User[];
  ownLogin: string;
  seenUpTo?: string | undefined;
}

/** Messages of the same author within this time are grouped under one name. */
const GROUPING_WINDOW_MS = 3 * 60_000;

const isContinued = (before: ChatEvent | undefined, event: ChatEvent): boolean =>
  before !== undefined &&
  before.author_id === event.author_id &&
  before.type !== 'system_message' &&
  event.type !== 'system_message' &&
  before.visibility === event.visibility &&
  Date.parse(event.created_at) - Date.parse(before.created_at) < GROUPING_WINDOW_MS;

const dayOf = (event: ChatEvent | undefined): string => (event ? formatDay(event.created_at) : '');

export const EventList = memo(({ events, users, ownLogin, seenUpTo }: EventListProps) => {
  const byId = new Map(users.map((user) => [user.id, user]));
  const lastSeen = seenUpTo
    ? events.findLast(
        ({ author_id: author, created_at: at, visibility }) =>
          visibility === 'all' && at <= seenUpTo && author !== undefined && byId.get(author)?.type === 'agent',
      )
    : undefined;
  return (
    <ol className={classes.list}>
      {events.map((event, index) => {
        const before = events[index - 1];
        const day = dayOf(event);
        const author = event.author_id === undefined ? undefined : byId.get(event.author_id);
        return [
          day !== dayOf(before) && (
            <li key={day} className={classes.day}>
              {day}
            </li>
          ),
          <EventView
            key={event.id}
            event={event}
            authorName={author?.name || author?.email || event.author_id || ''}
            side={event.type === 'system_message' ? 'system' : author?.type === 'customer' ? 'customer' : 'agent'}
            isOwn={event.author_id === ownLogin}
            isFirst={!isContinued(before, event)}
            isSeen={event === lastSeen}
          />,
        ];
      })}
    </ol>
  );
});
