/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import { isActive } from '../chat/conversation.ts';
import type { State } from '../chat/state.ts';
import { Icon } from './icons.tsx';
import { useWidget } from './use-widget.ts';

const MAX_MESSAGE_BYTES = 16_384;
const EMOJI = [...'😀😊😂😍🤔😢😮👍👎👏🙏💪🎉❤️🔥✅'].filter((one) => one !== '\uFE0F');

/** Enter sends; Shift+Enter inserts a line break. */
export const Composer = ({ state }: { state: State }) => {
  const { t, sender, actions, uploads } = useWidget();
  const [text, setText] = useState('');
  const [emoji, setEmoji] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const tooLong = new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES;

  const write = (now: string): void => {
    setText(now);
    actions.setTypedText(now);
  };
  const send = (): void => {
    if (!text.trim() || tooLong) return;
    sender.send({ type: 'message', text });
    write('');
    setEmoji(false);
    field.current?.focus();
  };
  const insert = (sign: string): void => {
    const at = field.current?.selectionStart ?? text.length;
    write(text.slice(0, at) + sign + text.slice(at));
    field.current?.focus();
  };

  return (
    <div class="composer">
      {tooLong && (
        <p class="error" role="alert">
          {t('Message_too_long')}
        </p>
      )}
      {emoji && (
        <fieldset class="emoji" aria-label={t('Insert_emoji')}>
          {EMOJI.map((sign) => (
            <button key={sign} type="button" aria-label={sign} onClick={() => insert(sign)}>
              {sign}
            </button>
          ))}
        </fieldset>
      )}
      <div class="line">
        {isActive(state.conversation) && (
          <>
            <button
              type="button"
              class="round"
              aria-label={t('Attach_file')}
              title={t('Attach_file')}
              onClick={() => files.current?.click()}
            >
              <Icon name="attach" />
            </button>
            <input
              ref={files}
              type="file"
              multiple
              hidden
              tabIndex={-1}
              aria-label={t('Attach_file')}
              onChange={({ currentTarget }) => {
                uploads.add(currentTarget.files ?? []);
                currentTarget.value = '';
              }}
            />
          </>
        )}
        <textarea
          ref={field}
          class="message"
          dir="auto"
          rows={Math.min(5, text.split('\n').length)}
          aria-label={t('Type_message_here')}
          placeholder={t('Type_message_here')}
          value={text}
          onInput={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            send();
          }}
          onPaste={(event) => {
            const pasted = event.clipboardData?.files;
            if (!pasted?.length || !isActive(state.conversation)) return;
            event.preventDefault();
            uploads.add(pasted);
          }}
        />
        <button
          type="button"
          class="round"
          aria-label={t('Insert_emoji')}
          title={t('Insert_emoji')}
          aria-expanded={emoji}
          onClick={() => setEmoji(!emoji)}
        >
          <Icon name="smile" />
        </button>
        <button
          type="button"
          class="round send-button"
          aria-label={t('Send')}
          title={t('Send')}
          disabled={!text.trim() || tooLong}
          onClick={send}
        >
          <Icon name="send" />
        </button>
      </div>
    </div>
  );
};
