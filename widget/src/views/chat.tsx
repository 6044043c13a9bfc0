/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { isActive, lastThread } from '../chat/conversation.ts';
import type { State } from '../chat/state.ts';
import { ChatEnded } from './chat-ended.tsx';
import { Composer } from './composer.tsx';
import { Log } from './log.tsx';
import { useWidget } from './use-widget.ts';

const Queue = ({ state }: { state: State }) => {
  const { core, t, actions, store } = useWidget();
  const queue = lastThread(state.conversation)?.queue;
  if (!queue) return null;
  const minutes = Math.round(queue.wait_time / 60);
  const leave = (after?: () => void): void => void actions.endChat().then(after, () => {});
  return (
    <div class="notice" role="status">
      <strong>{t('All_agents_busy')}</strong>
      <span>{t('Queue_position', { number: queue.position })}</span>
      {queue.wait_time > 0 && (
        <span>{minutes > 0 ? t('Waiting_time', { count: minutes }) : t('Waiting_time_short')}</span>
      )}
      <span class="actions">
        <button type="button" class="link" onClick={() => leave(() => store.set({ view: 'start' }))}>
          {t('Leave_queue')}
        </button>
        {core.configuration().ticket_form && (
          <button type="button" class="link" onClick={() => leave(() => store.set({ view: 'ticket' }))}>
            {t('Leave_message_instead')}
          </button>
        )}
      </span>
    </div>
  );
};

/** An active or ended chat. Files can be dropped anywhere on it. */
export const Chat = ({ state }: { state: State }) => {
  const { t, uploads } = useWidget();
  const [dropping, setDropping] = useState(false);
  const active = isActive(state.conversation) || state.unsentEvents.length > 0;
  const carriesFiles = (event: DragEvent): boolean => active && !!event.dataTransfer?.types.includes('Files');
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can also be attached with a button.
    <div
      class="conversation"
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
      {dropping && <div class="dropping">{t('Drop_file_here')}</div>}
      {active ? <Composer state={state} /> : <ChatEnded key={lastThread(state.conversation)?.id} state={state} />}
    </div>
  );
};
