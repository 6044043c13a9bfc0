import { Button, Group, SegmentedControl, Textarea, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { Dimmed } from '../../design/dimmed.tsx';
import { IconButton } from '../../design/icon-button.tsx';
import { isIn } from '../../realtime/chats/lists.ts';
import { sendToChat } from '../../realtime/chats/sending.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';
import { CannedList } from './canned-list.tsx';
import { CardDialog } from './card-dialog.tsx';
import classes from './composer.module.css';
import { t } from './t.ts';
import { UploadList } from './upload-list.tsx';
import { uploadAll } from './uploads.ts';
import { useCanned } from './use-canned.ts';
import { useDraft } from './use-draft.ts';
import { useTypingSignal } from './use-typing-signal.ts';

const MAX_LENGTH = 16_000;

export const Composer = ({ chat }: { chat: LiveChat }) => {
  const { draft, setText, setNote, clear } = useDraft(chat.id);
  const { text, isNote } = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const [isCardOpen, card] = useDisclosure(false);
  const signalTyping = useTypingSignal(chat.id);
  const canned = useCanned(chat, text, field, setText);
  const own = chat.users.find(({ id, present }) => id === ownLogin() && present);
  /** A monitoring agent can only write notes; a message would make them visible to the customer. */
  const onlyNotes = own?.visibility === 'agents';
  const asNote = isNote || onlyNotes;

  const send = (): void => {
    const words = text.trim();
    if (words === '') return;
    sendToChat(chat.id, { type: 'message', text: words, ...(asNote ? { visibility: 'agents' as const } : {}) });
    clear();
    signalTyping(false, asNote);
    field.current?.focus();
  };

  const choose = (wantsNote: boolean): void => {
    setNote(wantsNote);
    field.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (canned.onKeyDown(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape') field.current?.blur();
  };

  const onPaste = (event: ClipboardEvent): void => {
    const pasted = event.clipboardData.files;
    if (pasted.length === 0) return;
    event.preventDefault();
    uploadAll(chat.id, pasted);
  };

  if (!chat.active) return null;
  if (!isIn(chat, ownLogin())) {
    return (
      <div className={classes.composer}>
        <Dimmed ta="center">{t('assignTheChatToYourself')}</Dimmed>
      </div>
    );
  }

  return (
    <div className={classes.composer} data-note={asNote || undefined}>
      <UploadList chatId={chat.id} />
      {canned.isOpen && <CannedList canned={canned} />}
      <Group justify="space-between" mb={4}>
        <SegmentedControl
          size="xs"
          aria-label={t('messageType')}
          value={asNote ? 'note' : 'reply'}
          disabled={onlyNotes}
          onChange={(value) => choose(value === 'note')}
          data={[
            { value: 'reply', label: t('reply') },
            { value: 'note', label: t('privateNote') },
          ]}
        />
        <button type="button" hidden data-shortcut="note" onClick={() => choose(true)} />
      </Group>
      <Textarea
        ref={field}
        aria-label={asNote ? t('privateNote') : t('message')}
        aria-controls={canned.isOpen ? 'canned-responses' : undefined}
        aria-activedescendant={canned.isOpen ? `canned-${canned.index}` : undefined}
        placeholder={asNote ? t('onlyAgentsCanSeeThis') : t('typeAMessageOrFor')}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          signalTyping(event.currentTarget.value !== '', asNote);
        }}
        onSelect={canned.onSelect}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        data-shortcut="reply"
      />
      <Group justify="space-between" mt={6} wrap="nowrap">
        <Group gap={2}>
          <input
            ref={files}
            type="file"
            multiple
            hidden
            onChange={({ currentTarget }) => {
              uploadAll(chat.id, [...(currentTarget.files ?? [])]);
              currentTarget.value = '';
            }}
          />
          <Tooltip label={t('attachFile')}>
            <IconButton
              icon="attach"
              label={t('attachFile')}
              disabled={asNote}
              onClick={() => files.current?.click()}
            />
          </Tooltip>
          <Tooltip label={t('cardOrQuickReplies')}>
            <IconButton icon="plus" label={t('cardOrQuickReplies')} disabled={asNote} onClick={card.open} />
          </Tooltip>
        </Group>
        <Button size="xs" onClick={send} disabled={text.trim() === ''}>
          {asNote ? t('addNote') : t('send')}
        </Button>
      </Group>
      <CardDialog chatId={chat.id} opened={isCardOpen} onClose={card.close} />
    </div>
  );
};
