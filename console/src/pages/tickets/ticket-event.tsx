import { Badge, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { TicketEvent } from '#contracts/agent/tickets.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { FileLinks } from '../../design/file-links.tsx';
import { LinkedText } from '../../design/linked-text.tsx';
import { Avatar } from '../../design/person.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { badgesOf, describeEvent } from './describe-event.ts';
import { OriginalEmail } from './original-email.tsx';
import { t } from './t.ts';
import classes from './ticket.module.css';

const nameOf = ({ author }: TicketEvent): string => author.name || author.id || 'Parley';

const Message = ({ event }: { event: TicketEvent }) => {
  const [isFormatted, { toggle }] = useDisclosure(false);
  const { message = '', html, files = [], dropped = [], is_private, created_at, author } = event;
  return (
    <article className={classes.message} data-author={author.type} data-private={is_private || undefined}>
      <Group gap="xs" wrap="nowrap" align="flex-start" mb={6}>
        <Avatar name={nameOf(event)} size={28} />
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text size="sm" fw={600} truncate>
            {nameOf(event)}
          </Text>
          <Group gap={6}>
            <Dimmed size="xs">
              <TimeAgo at={created_at} />
            </Dimmed>
            {badgesOf(event).map((badge) => (
              <Badge key={badge} size="xs" variant="default">
                {badge}
              </Badge>
            ))}
          </Group>
        </div>
        {html !== undefined && (
          <Button size="compact-xs" variant="default" onClick={toggle} aria-pressed={isFormatted}>
            {isFormatted ? t('showAsText') : t('showOriginal')}
          </Button>
        )}
      </Group>
      {html !== undefined && isFormatted ? (
        <OriginalEmail html={html} />
      ) : (
        <Text size="sm" component="div">
          <LinkedText text={message} />
        </Text>
      )}
      <FileLinks files={files} />
      {dropped.map((name) => (
        <Text key={name} size="xs" c="var(--warning)">
          {t('attachmentNotSavedName', { name })}
        </Text>
      ))}
    </article>
  );
};

interface Props {
  event: TicketEvent;
  groupName: (id: number) => string;
}

/** A message, or one line about a change. */
export const TicketEventView = memo(({ event, groupName }: Props) => {
  if (event.type === 'message') return <Message event={event} />;
  return (
    <Text size="xs" c="dimmed" className={classes.change}>
      {describeEvent(event, nameOf(event), groupName)}
      {event.type === 'merged' && event.ticket && (
        <>
          {' '}
          <Link to="/tickets/$" params={{ _splat: event.ticket.id }} search={true as never}>
            {t('openId', { id: event.ticket.id })}
          </Link>
        </>
      )}{' '}
      · <TimeAgo at={event.created_at} />
    </Text>
  );
});
