/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { isWebUrl } from '#browser/find-links.ts';
import type { Thread } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import type { Button, Element } from '../chat/conversation.ts';
import { useChatting } from './context.ts';
import { Icon } from './icons.tsx';
import { textOr, Words } from './words.tsx';

interface InThread {
  event: Event;
  thread: Thread;
}

const sizeOf = (bytes = 0): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const FileLink = ({ event }: { event: Event }) => {
  const { say } = useChatting();
  const [failed, setFailed] = useState(false);
  const { url, name = '', content_type: type = '', thumbnail2x_url: small, alternative_text: alt } = event;
  if (!isWebUrl(url)) return <Words text={name} />;
  const picture = /^image\//.test(type) && !failed;
  return (
    <a
      class={picture ? 'picture' : 'file'}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={say('Download_file', { name })}
    >
      {picture ? (
        <img src={isWebUrl(small) ? small : url} alt={alt ?? name} onError={() => setFailed(true)} />
      ) : (
        <>
          <Icon name="file" />
          <span>
            <span dir="auto">{name}</span> <small>{sizeOf(event.size)}</small>
          </span>
        </>
      )}
    </a>
  );
};

const RichButton = ({ button, event, thread, says }: InThread & { button: Button; says: boolean }) => {
  const { core, talking, sending, store } = useChatting();
  const text = textOr(button.text);
  if ((button.type === 'url' || button.type === 'webview') && isWebUrl(button.value))
    return (
      <a class="choice" href={button.value} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    );
  const id = textOr(button.postback_id);
  const pressed = !!button.user_ids?.includes(store.get().customer?.id ?? '');
  const press = (): void => {
    talking.press(thread, event, id, true);
    if (!says && button.type !== 'message') return;
    const postback = {
      id,
      thread_id: thread.id,
      event_id: event.id,
      type: 'message',
      value: textOr(button.value) || text,
    };
    sending.send({ type: 'message', text, postback });
    core.root.querySelector<HTMLElement>('textarea.message')?.focus();
  };
  return (
    <button type="button" class="choice" aria-pressed={pressed} disabled={!thread.active} onClick={press}>
      {text}
    </button>
  );
};

const Card = ({ element, ...inThread }: InThread & { element: Element }) => {
  const { title, subtitle, image, buttons = [] } = element;
  const { core } = useChatting();
  const [failed, setFailed] = useState(false);
  const own = isWebUrl(image?.url) && image.url.startsWith(core.options.base);
  return (
    <div class="card">
      {own && !failed && (
        <img src={textOr(image?.url)} alt={textOr(image?.alternative_text)} onError={() => setFailed(true)} />
      )}
      {!!title && (
        <strong dir="auto">
          <Words text={textOr(title)} />
        </strong>
      )}
      {!!subtitle && <Words text={textOr(subtitle)} />}
      {buttons.map((button) => (
        <RichButton key={textOr(button.postback_id)} button={button} says={false} {...inThread} />
      ))}
    </div>
  );
};

/** Answers to choose from, until one was given. */
const QuickReplies = ({ event, thread }: InThread) => {
  const { store } = useChatting();
  const customerId = store.get().customer?.id;
  const after = thread.events.slice(thread.events.findIndex(({ id }) => id === event.id) + 1);
  const open = thread.active && !after.some(({ author_id }) => author_id === customerId);
  return (
    <>
      {(event.elements as Element[]).map((element, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message have nothing but their place.
        <div key={at} class="replies">
          {!!element.title && <Words text={textOr(element.title)} />}
          {open &&
            element.buttons?.map((button) => (
              <RichButton key={textOr(button.postback_id)} button={button} event={event} thread={thread} says />
            ))}
        </div>
      ))}
    </>
  );
};

interface Filled {
  label?: unknown;
  answer?: unknown;
  answers?: unknown[];
  comment?: unknown;
}

const answerText = ({ answer, answers, comment }: Filled): string =>
  [...(answers ?? [answer]), comment]
    .map((one) => textOr(one) || textOr((one as { label?: unknown } | undefined)?.label))
    .filter(Boolean)
    .join(', ');

const FilledForm = ({ event }: { event: Event }) => (
  <dl>
    {(event.fields as Filled[])
      .filter((field) => answerText(field))
      .map((field, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message have nothing but their place.
        <div key={at}>
          <dt dir="auto">{textOr(field.label)}</dt>
          <dd>
            <Words text={answerText(field)} />
          </dd>
        </div>
      ))}
  </dl>
);

/** What an event says. */
export const Content = ({ event, thread }: InThread) => {
  switch (event.type) {
    case 'message':
      return <Words text={event.text ?? ''} />;
    case 'file':
      return <FileLink event={event} />;
    case 'filled_form':
      return <FilledForm event={event} />;
    case 'rich_message':
      return event.template_id === 'quick_replies' ? (
        <QuickReplies event={event} thread={thread} />
      ) : (
        <div class="cards">
          {(event.elements as Element[]).map((element, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message have nothing but their place.
            <Card key={at} element={element} event={event} thread={thread} />
          ))}
        </div>
      );
    default:
      return null;
  }
};
