import { Group, Text } from '@mantine/core';
import { memo } from 'react';
import type { ArchivedChat, Event } from '#contracts/chat-ops/chats.ts';
import { FileLinks } from '../../design/file-links.tsx';
import { LinkedText } from '../../design/linked-text.tsx';
import { safeImage } from '../../design/safe-url.ts';
import { formatClock, formatTime } from '../../design/time-ago.tsx';
import { t } from './t.ts';
import classes from './transcript.module.css';

const isNote = ({ event_type }: Event): boolean => event_type === 'private_note';

/** Images that browsers can show; other files are links. */
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;

const Attachment = ({ files = [] }: Event) => (
  <>
    {files
      .filter(({ content_type, url }) => PICTURE.test(content_type) && safeImage(url))
      .map(({ url, name }) => (
        <img key={url} className={classes.picture} src={safeImage(url)} alt={name} loading="lazy" />
      ))}
    <FileLinks files={files} />
  </>
);

const EventText = ({ event }: { event: Event }) => (
  <div className={classes.said} data-by={event.user_type ?? 'agent'} data-note={isNote(event) || undefined}>
    <Group gap={6}>
      <Text size="xs" fw={600}>
        {event.author_name ?? t('unknown')}
      </Text>
      <Text size="xs" c="dimmed" title={formatTime(event.timestamp * 1000)}>
        {formatClock(event.timestamp * 1000)}
      </Text>
      {isNote(event) && (
        <Text size="xs" c="var(--warning)">
          {t('privateNote')}
        </Text>
      )}
    </Group>
    {event.text !== '' && (
      <Text size="sm" component="div">
        <LinkedText text={event.text} />
      </Text>
    )}
    {event.type === 'attachment' && <Attachment {...event} />}
  </div>
);

/** All events of a chat in order. Everything is rendered as text. */
export const Transcript = memo(({ events }: Pick<ArchivedChat, 'events'>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
  <div className={classes.events} role="log" aria-label={t('transcript')} tabIndex={0}>
    {events.map((event, index) =>
      event.type === 'event' && !isNote(event) ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said does not change.
        <Text key={index} size="xs" c="dimmed" ta="center">
          {event.text || event.event_type} · {formatClock(event.timestamp * 1000)}
        </Text>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above.
        <EventText key={index} event={event} />
      ),
    )}
  </div>
));
