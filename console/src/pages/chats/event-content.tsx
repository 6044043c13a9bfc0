import { Code, Text } from '@mantine/core';
import { formatSize } from '../../design/file-links.tsx';
import { Icon } from '../../design/icon.tsx';
import { LinkedText } from '../../design/linked-text.tsx';
import { safeImage, safeLink } from '../../design/safe-url.ts';
import type { Element } from '../../realtime/chats/reduce-events.ts';
import type { ChatEvent } from '../../realtime/chats/state.ts';
import classes from './messages.module.css';
import { t } from './t.ts';

const FileContent = ({ event }: { event: ChatEvent }) => {
  const href = safeLink(event.url);
  const name = event.name || t('file');
  const picture = event.content_type?.startsWith('image/') ? safeImage(event.thumbnail2x_url ?? event.url) : undefined;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={classes.file}
      aria-label={t('fileLabel', { name })}
    >
      {picture ? (
        <img className={classes.picture} src={picture} alt={event.alternative_text || name} loading="lazy" />
      ) : (
        <>
          <Icon name="file" />
          {name}
          {event.size !== undefined && (
            <Text span size="xs" c="dimmed">
              {formatSize(event.size)}
            </Text>
          )}
        </>
      )}
    </a>
  );
};

interface Field {
  type?: string;
  id?: string;
  label?: string;
  answer?: unknown;
  answers?: unknown;
}

const labelOf = (answer: unknown): string => {
  if (Array.isArray(answer)) return answer.map(labelOf).join(', ');
  if (typeof answer === 'object' && answer !== null && 'label' in answer) return String(answer.label);
  return answer === undefined || answer === null ? '' : String(answer);
};

/** Headings have no answer. */
const isQuestion = ({ type }: Field): boolean => type !== 'header';

const FormContent = ({ fields }: { fields: Field[] }) => (
  <dl className={classes.form}>
    {fields.filter(isQuestion).map(({ id, label, answer, answers }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: fields of a sent form never change places.
      <div key={`${id} ${index}`}>
        <dt>{label}</dt>
        <dd>
          <LinkedText text={labelOf(answer ?? answers) || '–'} />
        </dd>
      </div>
    ))}
  </dl>
);

const CardContent = ({ element }: { element: Element }) => {
  const image = safeImage(element.image?.url);
  return (
    <div className={classes.card}>
      {image && <img className={classes.picture} src={image} alt="" loading="lazy" />}
      {element.title && <Text fw={600}>{element.title}</Text>}
      {element.subtitle && (
        <Text size="sm">
          <LinkedText text={element.subtitle} />
        </Text>
      )}
      {element.buttons && element.buttons.length > 0 && (
        <ul className={classes.buttons}>
          {element.buttons.map(({ text, postback_id: id, user_ids: pressers = [] }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: buttons of a card never change places.
            <li key={`${id} ${index}`} className={classes.button} data-pressed={pressers.length > 0 || undefined}>
              {text}
              {pressers.length > 0 && ' ✓'}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** The content of an event. Everything is rendered as text. */
export const EventContent = ({ event }: { event: ChatEvent }) => {
  switch (event.type) {
    case 'message':
      return <LinkedText text={event.text ?? ''} />;
    case 'file':
      return <FileContent event={event} />;
    case 'filled_form':
      return <FormContent fields={(event.fields ?? []) as Field[]} />;
    case 'rich_message':
      return ((event.elements ?? []) as Element[]).map((element, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards of a message never change places.
        <CardContent key={index} element={element} />
      ));
    case 'custom':
      return <Code block>{JSON.stringify(event.content, null, 2)}</Code>;
    default:
      return <LinkedText text={event.text ?? ''} />;
  }
};
