import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { createTicket, getTicketMail } from '#contracts/agent/tickets.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { AgentChoice, GroupChoice } from '../../design/choices.tsx';
import { Icon } from '../../design/icon.tsx';
import { useTicketChange } from './use-tickets.ts';

const textOf = (data: FormData, name: string): string | undefined => String(data.get(name) ?? '').trim() || undefined;

/** Mail to these addresses becomes a ticket by itself. */
const MailAddresses = () => {
  const { data } = useQuery({
    queryKey: [...keys.tickets, 'addresses'],
    queryFn: () => call(getTicketMail, { query: {}, body: {} }),
  });
  const addresses = [data?.own_address, data?.numbered_address].filter((address) => address !== undefined);
  if (addresses.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Mail to {addresses.join(' or ')} becomes a ticket by itself.
    </Text>
  );
};

const CreateForm = ({ onDone }: { onDone: () => void }) => {
  const [assignee, setAssignee] = useState<string>();
  const [group, setGroup] = useState<string>();
  const navigate = useNavigate();
  const creating = useTicketChange((data: FormData) =>
    call(createTicket, {
      query: {},
      body: {
        requester: { mail: textOf(data, 'mail') ?? null, name: textOf(data, 'name') ?? null },
        subject: textOf(data, 'subject') ?? null,
        message: textOf(data, 'message') ?? null,
        assignee_id: assignee ?? null,
        group_ids: group === undefined ? null : [Number(group)],
      },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    creating.mutate(new FormData(event.currentTarget), {
      onSuccess: ({ ticket }) => {
        onDone();
        void navigate({ to: '/tickets/$', params: { _splat: ticket.id } });
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <MailAddresses />
        <TextInput
          name="mail"
          type="email"
          label="Requester’s e-mail address"
          required
          maxLength={254}
          data-autofocus
        />
        <TextInput name="name" label="Requester’s name" maxLength={200} />
        <TextInput name="subject" label="Subject" maxLength={500} />
        <Textarea name="message" label="What it is about" required autosize minRows={4} maxRows={12} />
        <GroupChoice label="Group" none="All agents" value={group} onChange={setGroup} />
        <AgentChoice label="Assignee" none="Nobody" value={assignee} onChange={setAssignee} />
        <Text size="xs" c="dimmed">
          Nobody is mailed until somebody replies.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={creating.isPending}>
            Make the ticket
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

export const CreateTicket = () => {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        New ticket
      </Button>
      <Modal opened={isOpen} onClose={close} title="New ticket" closeButtonProps={{ 'aria-label': 'Close' }}>
        <CreateForm onDone={close} />
      </Modal>
    </>
  );
};
