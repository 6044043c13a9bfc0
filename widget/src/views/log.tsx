/** @jsxImportSource preact */
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Thread, User } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import type { Draft } from '../chat/outbox.ts';
import { languageOf } from '../chat/phrases.ts';
import type { State, Upload } from '../chat/state.ts';
import { systemText } from '../chat/system-text.ts';
import { MOST_MEGABYTES } from '../chat/uploads.ts';
import { Avatar } from './avatar.tsx';
import { useChatting } from './context.ts';
import { Content } from './event.tsx';

const SHOWN = ['message', 'file', 'rich_message', 'filled_form', 'system_message'];
const DAY_MS = 86_400_000;

const useTimes = () => {
  const { core, say } = useChatting();
  const language = languageOf(core);
  const dayOf = (at: string): string => new Date(at).toDateString();
  return {
    dayOf,
    time: (at: string) => new Date(at).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }),
    day: (at: string): string => {
      if (dayOf(at) === new Date().toDateString()) return say('Today');
      if (dayOf(at) === new Date(Date.now() - DAY_MS).toDateString()) return say('Yesterday');
      return new Date(at).toLocaleDateString(language, { day: 'numeric', month: 'long', year: 'numeric' });
    },
  };
};

/** Under the last of one's own: whether it was read. */
const Mark = ({ event, users }: { event: Event; users: User[] }) => {
  const { say } = useChatting();
  const read = users.some(({ type, events_seen_up_to: seen }) => type === 'agent' && seen && seen >= event.created_at);
  return <small class="mark">{say(read ? 'Read' : 'Delivered')}</small>;
};

const Said = ({
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
  const { say, store } = useChatting();
  const { time } = useTimes();
  const own = event.author_id === store.get().customer?.id;
  if (event.type === 'system_message') {
    const text = systemText(event, say);
    return text ? <p class="system">{text}</p> : null;
  }
  const author = users.find(({ id }) => id === event.author_id);
  const name = own ? say('You') : (author?.name ?? '');
  return (
    <div class={`event ${own ? 'mine' : 'theirs'} ${first ? 'first' : ''}`}>
      {!own && (first ? <Avatar name={name} address={author?.avatar} /> : <span class="avatar none" />)}
      <div class="column">
        {first && !own && (
          <small class="author" dir="auto" aria-hidden="true">
            {name}
          </small>
        )}
        <div class={`said ${event.type}`} title={time(event.created_at)}>
          <span class="unseen">{say('Message_of', { name })}: </span>
          <Content event={event} thread={thread} />
        </div>
        {own && last && <Mark event={event} users={users} />}
      </div>
    </div>
  );
};

const Unsent = ({ draft, state }: { draft: Draft; state: State }) => {
  const { say, sending, desk } = useChatting();
  const { event, fault, id } = draft;
  const isOnline = state.link === 'online';
  const stuck = fault ?? (isOnline && !desk.outbox.isMine(draft) ? 'Message_not_sent' : undefined);
  return (
    <div class="event mine unsent">
      <div class="column">
        <div class="said message">
          <Content event={event as unknown as Event} thread={{ events: [] } as never} />
        </div>
        <small class={stuck ? 'mark fault' : 'mark'}>
          {say(stuck ?? (isOnline ? 'Sending' : 'Waiting_to_send'))}{' '}
          {stuck && isOnline && (
            <button type="button" class="link" onClick={() => sending.retry(id)}>
              {say('Try_again')}
            </button>
          )}
        </small>
      </div>
    </div>
  );
};

const Uploading = ({ upload }: { upload: Upload }) => {
  const { say, uploads } = useChatting();
  const { file, fault, progress } = upload;
  return (
    <div class="event mine unsent">
      <div class="column">
        <div class="said message">
          <span dir="auto">{file.name}</span>
          {!fault && <progress value={progress} aria-label={say('Uploading_file', { name: file.name })} />}
        </div>
        {fault && (
          <small class="mark fault" role="alert">
            {say(fault, { size: MOST_MEGABYTES })}{' '}
            {fault === 'Upload_failed' && (
              <button type="button" class="link" onClick={() => uploads.retry(upload)}>
                {say('Try_again')}
              </button>
            )}{' '}
            <button type="button" class="link" onClick={() => uploads.drop(upload.id)}>
              {say('Cancel')}
            </button>
          </small>
        )}
      </div>
    </div>
  );
};

const Typing = ({ state }: { state: State }) => {
  const { say } = useChatting();
  const { typing, conversation } = state;
  const user = typing && conversation?.users.find(({ id }) => id === typing.id);
  return (
    <p class="typing" role="status">
      {user ? say('Agent_is_typing', { agent: user.name ?? '' }) : ''}
    </p>
  );
};

interface Line {
  event: Event;
  thread: Thread;
}

/** The conversation, as screen readers follow it too. */
export const Log = ({ state }: { state: State }) => {
  const { say, talking } = useChatting();
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
  const unsent = state.drafts.filter(({ id }) => !arrived.has(id));

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
      aria-label={say('Message_list')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      // Pictures take their room only when they are there.
      onLoadCapture={toEnd}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < 60;
      }}
    >
      {threads[0]?.previous_thread_id && (
        <button type="button" class="link earlier" onClick={() => void talking.readEarlier().catch(() => {})}>
          {say('Load_earlier')}
        </button>
      )}
      {lines.map(({ event, thread }, at) => {
        const before = lines[at - 1]?.event;
        const newDay = !before || dayOf(before.created_at) !== dayOf(event.created_at);
        return (
          <div key={event.id}>
            {newDay && <p class="day">{day(event.created_at)}</p>}
            <Said
              event={event}
              thread={thread}
              users={users}
              first={newDay || before?.author_id !== event.author_id}
              last={event.id === lastOwn}
            />
          </div>
        );
      })}
      {unsent.map((draft) => (
        <Unsent key={draft.id} draft={draft} state={state} />
      ))}
      {state.uploads.map((upload) => (
        <Uploading key={upload.id} upload={upload} />
      ))}
      <Typing state={state} />
    </div>
  );
};
