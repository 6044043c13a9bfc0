/** @jsxImportSource preact */
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Thread, User } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import { languageOf } from '../chat/localization.ts';
import type { UnsentEvent } from '../chat/outbox.ts';
import type { State, Upload } from '../chat/state.ts';
import { systemText } from '../chat/system-text.ts';
import { MAX_FILE_MEGABYTES } from '../chat/uploads.ts';
import { Avatar } from './avatar.tsx';
import { Content } from './event.tsx';
import { useWidget } from './use-widget.ts';

const SHOWN = ['message', 'file', 'rich_message', 'filled_form', 'system_message'];
const DAY_MS = 86_400_000;

const useTimes = () => {
  const { core, t } = useWidget();
  const language = languageOf(core);
  const dayOf = (at: string): string => new Date(at).toDateString();
  return {
    dayOf,
    time: (at: string) => new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }),
    day: (at: string): string => {
      if (dayOf(at) === new Date().toDateString()) return t('Today');
      if (dayOf(at) === new Date(Date.now() - DAY_MS).toDateString()) return t('Yesterday');
      return new Date(at).toLocaleDateString(language, { day: 'numeric', month: 'long', year: 'numeric' });
    },
  };
};

/** Shown below the customer's last message. */
const ReadReceipt = ({ event, users }: { event: Event; users: User[] }) => {
  const { t } = useWidget();
  const read = users.some(({ type, events_seen_up_to: seen }) => type === 'agent' && seen && seen >= event.created_at);
  return <small class="status">{t(read ? 'Read' : 'Delivered')}</small>;
};

const Message = ({
  event,
  thread,
  users,
  first,
  last,
}: {
  event: Event;
  thread: Thread;
  users: User[];
  first: boolean;
  last: boolean;
}) => {
  const { t, store } = useWidget();
  const { time } = useTimes();
  const own = event.author_id === store.get().customer?.id;
  if (event.type === 'system_message') {
    const text = systemText(event, t);
    return text ? <p class="system">{text}</p> : null;
  }
  const author = users.find(({ id }) => id === event.author_id);
  const name = own ? t('You') : (author?.name ?? '');
  return (
    <div class={`event ${own ? 'mine' : 'theirs'} ${first ? 'first' : ''}`}>
      {!own && (first ? <Avatar name={name} address={author?.avatar} /> : <span class="avatar none" />)}
      <div class="column">
        {first && !own && (
          <small class="author" dir="auto" aria-hidden="true">
            {name}
          </small>
        )}
        <div class={`event-body ${event.type}`} title={time(event.created_at)}>
          <span class="visually-hidden">{t('Message_of', { name })}: </span>
          <Content event={event} thread={thread} />
        </div>
        {own && last && <ReadReceipt event={event} users={users} />}
      </div>
    </div>
  );
};

const Unsent = ({ unsent, state }: { unsent: UnsentEvent; state: State }) => {
  const { t, sender, context } = useWidget();
  const { event, error, id } = unsent;
  const isOnline = state.link === 'online';
  const failure = error ?? (isOnline && !context.outbox.isMine(unsent) ? 'Message_not_sent' : undefined);
  return (
    <div class="event mine unsent">
      <div class="column">
        <div class="event-body message">
          <Content event={event as unknown as Event} thread={{ events: [] } as never} />
        </div>
        <small class={failure ? 'status error' : 'status'}>
          {t(failure ?? (isOnline ? 'Sending' : 'Waiting_to_send'))}{' '}
          {failure && isOnline && (
            <button type="button" class="link" onClick={() => sender.retry(id)}>
              {t('Try_again')}
            </button>
          )}
        </small>
      </div>
    </div>
  );
};

const Uploading = ({ upload }: { upload: Upload }) => {
  const { t, uploads } = useWidget();
  const { file, error, progress } = upload;
  return (
    <div class="event mine unsent">
      <div class="column">
        <div class="event-body message">
          <span dir="auto">{file.name}</span>
          {!error && <progress value={progress} aria-label={t('Uploading_file', { name: file.name })} />}
        </div>
        {error && (
          <small class="status error" role="alert">
            {t(error, { size: MAX_FILE_MEGABYTES })}{' '}
            {error === 'Upload_failed' && (
              <button type="button" class="link" onClick={() => uploads.retry(upload)}>
                {t('Try_again')}
              </button>
            )}{' '}
            <button type="button" class="link" onClick={() => uploads.drop(upload.id)}>
              {t('Cancel')}
            </button>
          </small>
        )}
      </div>
    </div>
  );
};

const Typing = ({ state }: { state: State }) => {
  const { t } = useWidget();
  const { typing, conversation } = state;
  const user = typing && conversation?.users.find(({ id }) => id === typing.id);
  return (
    <p class="typing" role="status">
      {user ? t('Agent_is_typing', { agent: user.name ?? '' }) : ''}
    </p>
  );
};

interface Line {
  event: Event;
  thread: Thread;
}

/** The conversation, announced by screen readers. */
export const Log = ({ state }: { state: State }) => {
  const { t, actions } = useWidget();
  const { dayOf, day } = useTimes();
  const list = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const { threads = [], users = [] } = state.conversation ?? {};
  const lines: Line[] = threads.flatMap((thread) =>
    thread.events.filter(({ type }) => SHOWN.includes(type)).map((event) => ({ event, thread })),
  );
  const customerId = state.customer?.id;
  const lastOwn = lines.findLast(({ event }) => event.author_id === customerId)?.event.id;
  const arrived = new Set(lines.map(({ event }) => event.custom_id));
  const unsent = state.unsentEvents.filter(({ id }) => !arrived.has(id));

  const toEnd = useCallback((): void => {
    if (list.current && atEnd.current) list.current.scrollTop = list.current.scrollHeight;
  }, []);
  useLayoutEffect(toEnd);
  useEffect(() => {
    const observer = new ResizeObserver(toEnd);
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, [toEnd]);

  return (
    <div
      ref={list}
      class="log"
      role="log"
      aria-live="polite"
      aria-label={t('Message_list')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard.
      tabIndex={0}
      // Images change the height when they load.
      onLoadCapture={toEnd}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 60;
      }}
    >
      {threads[0]?.previous_thread_id && (
        <button type="button" class="link earlier" onClick={() => void actions.loadEarlierThread().catch(() => {})}>
          {t('Load_earlier')}
        </button>
      )}
      {lines.map(({ event, thread }, at) => {
        const before = lines[at - 1]?.event;
        const newDay = !before || dayOf(before.created_at) !== dayOf(event.created_at);
        return (
          <div key={event.id}>
            {newDay && <p class="day">{day(event.created_at)}</p>}
            <Message
              event={event}
              thread={thread}
              users={users}
              first={newDay || before?.author_id !== event.author_id}
              last={event.id === lastOwn}
            />
          </div>
        );
      })}
      {unsent.map((unsent) => (
        <Unsent key={unsent.id} unsent={unsent} state={state} />
      ))}
      {state.uploads.map((upload) => (
        <Uploading key={upload.id} upload={upload} />
      ))}
      <Typing state={state} />
    </div>
  );
};
