/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { isActive, lastThread } from '../chat/conversation.ts';
import type { State } from '../chat/state.ts';
import { Composer } from './composer.tsx';
import { useChatting } from './context.ts';
import { Ended } from './ended.tsx';
import { Log } from './log.tsx';

const Queue = ({ state }: { state: State }) => {
  const { core, say, talking, store } = useChatting();
  const queue = lastThread(state.conversation)?.queue;
  if (!queue) return null;
  const minutes = Math.round(queue.wait_time / 60);
  const leave = (after?: () => void): void => void talking.end().then(after, () => {});
  return (
    <div class="notice" role="status">
      <strong>{say('All_agents_busy')}</strong>
      <span>{say('Queue_position', { number: queue.position })}</span>
      {queue.wait_time > 0 && (
        <span>{minutes > 0 ? say('Waiting_time', { count: minutes }) : say('Waiting_time_short')}</span>
      )}
      <span class="actions">
        <button type="button" class="link" onClick={() => leave(() => store.set({ view: 'start' }))}>
          {say('Leave_queue')}
        </button>
        {core.configuration().ticket_form && (
          <button type="button" class="link" onClick={() => leave(() => store.set({ view: 'ticket' }))}>
            {say('Leave_message_instead')}
          </button>
        )}
      </span>
    </div>
  );
};

/** A chat, open or not. Files may be dropped anywhere on it. */
export const Chat = ({ state }: { state: State }) => {
  const { say, uploads } = useChatting();
  const [dropping, setDropping] = useState(false);
  const active = isActive(state.conversation) || state.drafts.length > 0;
  const carriesFiles = (event: DragEvent): boolean => active && !!event.dataTransfer?.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be attached by a button as well.
    <div
      class="talk"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setDropping(false);
        uploads.add(event.dataTransfer?.files ?? []);
      }}
    >
      <Queue state={state} />
      <Log state={state} />
      {dropping && <div class="dropping">{say('Drop_file_here')}</div>}
      {active ? <Composer state={state} /> : <Ended key={lastThread(state.conversation)?.id} state={state} />}
    </div>
  );
};
