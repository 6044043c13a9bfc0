import { memo } from 'react';
import { formatClock, formatTime } from '../../design/time-ago.tsx';
import type { ChatEvent } from '../../realtime/chats/state.ts';
import { EventContent } from './event-content.tsx';
import classes from './messages.module.css';
import { t } from './t.ts';

interface EventViewProps {
  event: ChatEvent;
  authorName: string;
  side: 'customer' | 'agent' | 'system';
  isOwn: boolean;
  isFirst: boolean;
  isSeen: boolean;
}

/** Memoized: rerenders only when the event or its neighbors change. */
export const EventView = memo(({ event, authorName, side, isOwn, isFirst, isSeen }: EventViewProps) => {
  const isNote = event.visibility === 'agents' && side !== 'system';
  return (
    <li
      className={classes.event}
      data-side={side}
      data-first={isFirst || undefined}
      data-note={isNote || undefined}
      data-event={event.id}
    >
      {side === 'system' ? (
        <span>
          {event.text} <time dateTime={event.created_at}>{formatClock(event.created_at)}</time>
        </span>
      ) : (
        <>
          {isFirst && (
            <div className={classes.meta}>
              <span>{isOwn ? t('author.you') : authorName}</span>
              {isNote && <strong>{t('privateNote')}</strong>}
              <time dateTime={event.created_at} title={formatTime(event.created_at)}>
                {formatClock(event.created_at)}
              </time>
            </div>
          )}
          <div className={classes.bubble}>
            <EventContent event={event} />
          </div>
          {isSeen && <div className={classes.state}>{t('readByCustomer')}</div>}
        </>
      )}
    </li>
  );
});
