/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import { isWebUrl } from '#browser/find-links.ts';
import type { Thread } from '#contracts/chat/chats.ts';
import type { Event } from '#contracts/chat/events.ts';
import type { Button, Element } from '../chat/conversation.ts';
import { Icon } from './icons.tsx';
import { asText, LinkedText } from './linked-text.tsx';
import { useWidget } from './use-widget.ts';

interface InThread {
  event: Event;
  thread: Thread;
}

const sizeOf = (bytes = 0): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

const FileLink = ({ event }: { event: Event }) => {
  const { t } = useWidget();
  const [failed, setFailed] = useState(false);
  const { url, name = '', content_type: type = '', thumbnail2x_url: small, alternative_text: alt } = event;
  if (!isWebUrl(url)) return <LinkedText text={name} />;
  const picture = /^image\//.test(type) && !failed;
  return (
    <a
      class={picture ? 'picture' : 'file'}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={t('Download_file', { name })}
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

const RichButton = ({ button, event, thread, sendsText }: InThread & { button: Button; sendsText: boolean }) => {
  const { core, actions, sender, store } = useWidget();
  const text = asText(button.text);
  if ((button.type === 'url' || button.type === 'webview') && isWebUrl(button.value))
    return (
      <a class="choice" href={button.value} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    );
  const id = asText(button.postback_id);
  const pressed = !!button.user_ids?.includes(store.get().customer?.id ?? '');
  const press = (): void => {
    actions.pressButton(thread, event, id, true);
    if (!sendsText && button.type !== 'message') return;
    const postback = {
      id,
      thread_id: thread.id,
      event_id: event.id,
      type: 'message',
      value: asText(button.value) || text,
    };
    sender.send({ type: 'message', text, postback });
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
  const { core } = useWidget();
  const [failed, setFailed] = useState(false);
  const own = isWebUrl(image?.url) && image.url.startsWith(core.options.base);
  return (
    <div class="card">
      {own && !failed && (
        <img src={asText(image?.url)} alt={asText(image?.alternative_text)} onError={() => setFailed(true)} />
      )}
      {!!title && (
        <strong dir="auto">
          <LinkedText text={asText(title)} />
        </strong>
      )}
      {!!subtitle && <LinkedText text={asText(subtitle)} />}
      {buttons.map((button) => (
        <RichButton key={asText(button.postback_id)} button={button} sendsText={false} {...inThread} />
      ))}
    </div>
  );
};

/** Suggested replies, shown until the customer answers. */
const QuickReplies = ({ event, thread }: InThread) => {
  const { store } = useWidget();
  const customerId = store.get().customer?.id;
  const after = thread.events.slice(thread.events.findIndex(({ id }) => id === event.id) + 1);
  const open = thread.active && !after.some(({ author_id }) => author_id === customerId);
  return (
    <>
      {(event.elements as Element[]).map((element, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements have no id and never move.
        <div key={at} class="replies">
          {!!element.title && <LinkedText text={asText(element.title)} />}
          {open &&
            element.buttons?.map((button) => (
              <RichButton key={asText(button.postback_id)} button={button} event={event} thread={thread} sendsText />
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
    .map((one) => asText(one) || asText((one as { label?: unknown } | undefined)?.label))
    .filter(Boolean)
    .join(', ');

const FilledForm = ({ event }: { event: Event }) => (
  <dl>
    {(event.fields as Filled[])
      .filter((field) => answerText(field))
      .map((field, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: elements have no id and never move.
        <div key={at}>
          <dt dir="auto">{asText(field.label)}</dt>
          <dd>
            <LinkedText text={answerText(field)} />
          </dd>
        </div>
      ))}
  </dl>
);

export const Content = ({ event, thread }: InThread) => {
  switch (event.type) {
    case 'message':
      return <LinkedText text={event.text ?? ''} />;
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
            // biome-ignore lint/suspicious/noArrayIndexKey: elements have no id and never move.
            <Card key={at} element={element} event={event} thread={thread} />
          ))}
        </div>
      );
    default:
      return null;
  }
};
