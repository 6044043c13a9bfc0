/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import { isActive } from '../chat/conversation.ts';
import type { State } from '../chat/state.ts';
import { useChatting } from './context.ts';
import { Icon } from './icons.tsx';

const MOST_BYTES = 16_384;
const EMOJI = [...'😀😊😂😍🤔😢😮👍👎👏🙏💪🎉❤️🔥✅'].filter((one) => one !== '\uFE0F');

/** Where somebody writes. Enter sends, with Shift it begins a line. */
export const Composer = ({ state }: { state: State }) => {
  const { say, sending, talking, uploads } = useChatting();
  const [text, setText] = useState('');
  const [emoji, setEmoji] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const tooLong = new TextEncoder().encode(text).length > MOST_BYTES;

  const write = (now: string): void => {
    setText(now);
    talking.type(now);
  };
  const send = (): void => {
    if (!text.trim() || tooLong) return;
    sending.send({ type: 'message', text });
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
        <p class="fault" role="alert">
          {say('Message_too_long')}
        </p>
      )}
      {emoji && (
        <fieldset class="emoji" aria-label={say('Insert_emoji')}>
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
              aria-label={say('Attach_file')}
              title={say('Attach_file')}
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
              aria-label={say('Attach_file')}
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
          aria-label={say('Type_message_here')}
          placeholder={say('Type_message_here')}
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
          aria-label={say('Insert_emoji')}
          title={say('Insert_emoji')}
          aria-expanded={emoji}
          onClick={() => setEmoji(!emoji)}
        >
          <Icon name="smile" />
        </button>
        <button
          type="button"
          class="round go"
          aria-label={say('Send')}
          title={say('Send')}
          disabled={!text.trim() || tooLong}
          onClick={send}
        >
          <Icon name="send" />
        </button>
      </div>
    </div>
  );
};
