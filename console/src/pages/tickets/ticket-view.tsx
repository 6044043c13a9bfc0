import { Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Ticket, undoTicketMerge, updateTicket } from '#contracts/agent/tickets.ts';
import { call } from '../../api/call.ts';
import { useGroupName } from '../../api/people.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { Form } from '../../design/form.tsx';
import { CloseLink } from '../../design/icon-button.tsx';
import { notifySuccess } from '../../design/notices.ts';
import { Loaded } from '../../design/states.tsx';
import { richText } from '../../i18n/rich-text.tsx';
import { ReplyBox } from './reply-box.tsx';
import { t } from './t.ts';
import classes from './ticket.module.css';
import { TicketDetails } from './ticket-details.tsx';
import { TicketEventView } from './ticket-event.tsx';
import { useTicket, useTicketChange } from './use-tickets.ts';

const Subject = ({ ticket }: { ticket: Ticket }) => {
  const [isEditing, { open, close }] = useDisclosure(false);
  const [subject, setSubject] = useState(ticket.subject);
  const rename = useTicketChange((to: string) => call(updateTicket, { body: { ticket_id: ticket.id, subject: to } }));
  if (!isEditing)
    return (
      <Group gap="xs" wrap="nowrap" style={{ flex: 1, minWidth: 0 }}>
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {ticket.subject}
        </Title>
        {!ticket.merged_into && (
          <Button
            variant="subtle"
            size="compact-xs"
            style={{ flex: 'none' }}
            onClick={() => {
              setSubject(ticket.subject);
              open();
            }}
          >
            {t('rename')}
          </Button>
        )}
      </Group>
    );
  return (
    <Form style={{ flex: 1 }} onSubmit={() => rename.mutate(subject.trim(), { onSuccess: close })}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          aria-label={t('subject')}
          value={subject}
          maxLength={500}
          required
          data-autofocus
          style={{ flex: 1 }}
          onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        />
        <Button type="submit" loading={rename.isPending} disabled={subject.trim() === ''}>
          {t('save')}
        </Button>
        <Button variant="default" onClick={close}>
          {t('cancel')}
        </Button>
      </Group>
    </Form>
  );
};

const Merged = ({ ticket }: { ticket: Ticket }) => {
  const undo = useTicketChange(() => call(undoTicketMerge, { body: { ticket_id: ticket.id } }));
  return (
    <Group className={classes.reply} justify="space-between">
      <Text size="sm">
        {richText(t, 'thisTicketWasMergedInto', {
          ticket: (
            <Link to="/tickets/$" params={{ _splat: ticket.merged_into! }} search={true as never}>
              {ticket.merged_into}
            </Link>
          ),
        })}
      </Text>
      <Button
        variant="default"
        loading={undo.isPending}
        onClick={() => undo.mutate(undefined, { onSuccess: () => notifySuccess(t('mergeUndone')) })}
      >
        {t('undoMerge')}
      </Button>
    </Group>
  );
};

const TicketContent = ({ ticket }: { ticket: Ticket }) => {
  const groupName = useGroupName();
  return (
    <section className={classes.view} aria-label={t('ticketId', { id: ticket.id })}>
      <Group className={classes.head} gap="xs" wrap="nowrap">
        <Subject ticket={ticket} />
        <Dimmed size="xs" style={{ flex: 'none' }}>
          {ticket.id}
        </Dimmed>
        <CloseLink to="/tickets" label={t('closeTicket')} />
      </Group>
      <div className={classes.columns}>
        <div className={classes.talk}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <div className={classes.events} tabIndex={0} role="log" aria-label={t('conversation')}>
            {ticket.events.map((event, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: events have no ids and are only added.
              <TicketEventView key={index} event={event} groupName={groupName} />
            ))}
          </div>
          {ticket.merged_into ? <Merged ticket={ticket} /> : <ReplyBox key={ticket.id} ticket={ticket} />}
        </div>
        {!ticket.merged_into && (
          <aside className={classes.side} aria-label={t('ticketDetails')}>
            <TicketDetails ticket={ticket} />
          </aside>
        )}
      </div>
    </section>
  );
};

export const TicketView = ({ id }: { id: string }) => (
  <Loaded query={useTicket(id)}>{(ticket) => <TicketContent ticket={ticket} />}</Loaded>
);
