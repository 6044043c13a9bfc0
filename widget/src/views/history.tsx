/** @jsxImportSource preact */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ChatSummary } from '#contracts/chat/chats.ts';
import { languageOf } from '../chat/localization.ts';
import { asText } from './linked-text.tsx';
import { useWidget } from './use-widget.ts';

const lastMessageText = ({ last_event_per_type: last }: ChatSummary): string =>
  asText(last.message?.event.text) || asText(last.file?.event.name);

/** Previous chats, newest first. */
export const History = () => {
  const { core, t, actions, sync } = useWidget();
  const [chats, setChats] = useState<ChatSummary[]>();
  const [next, setNext] = useState<string>();
  const read = useCallback(
    (page?: string): void =>
      void actions.listChats(page).then(
        (answer) => {
          setChats((existing = []) => [...existing, ...answer.chats_summary]);
          setNext(answer.next_page_id);
        },
        () => setChats((existing = []) => existing),
      ),
    [actions],
  );
  useEffect(read, [read]);
  const dateOf = (at: string): string =>
    new Date(at).toLocaleDateString(languageOf(core), { day: 'numeric', month: 'long', year: 'numeric' });
  return (
    <div class="page">
      {chats?.length === 0 && <p class="form-header">{t('No_earlier_chats')}</p>}
      <ul class="history">
        {chats?.map((chat) => (
          <li key={chat.id}>
            <button type="button" onClick={() => void sync.read(chat.id).catch(() => {})}>
              <strong>{dateOf(chat.last_thread_created_at)}</strong>
              <span dir="auto">{lastMessageText(chat)}</span>
            </button>
          </li>
        ))}
      </ul>
      {next && (
        <button type="button" class="link" onClick={() => read(next)}>
          {t('Load_earlier')}
        </button>
      )}
    </div>
  );
};
