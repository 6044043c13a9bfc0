import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { createTicket, getTicketMail } from '#contracts/agent/tickets.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { AgentChoice, GroupChoice } from '../../design/choices.tsx';
import { Dimmed } from '../../design/dimmed.tsx';
import { Form } from '../../design/form.tsx';
import { Icon } from '../../design/icon.tsx';
import { formatAlternatives } from '../../i18n/language.ts';
import { t } from './t.ts';
import { useTicketChange } from './use-tickets.ts';

const textOf = (data: FormData, name: string): string | undefined => String(data.get(name) ?? '').trim() || undefined;

/** Addresses that turn email into tickets. */
const MailAddresses = () => {
  const { data } = useQuery({
    queryKey: [...keys.tickets, 'addresses'],
    queryFn: () => call(getTicketMail, { body: {} }),
  });
  const addresses = [data?.own_address, data?.numbered_address].filter((address) => address !== undefined);
  if (addresses.length === 0) return null;
  return (
    <Dimmed style={{ overflowWrap: 'anywhere' }}>
      {t('emailsSentToAddressesBecome', { addresses: formatAlternatives(addresses) })}
    </Dimmed>
  );
};

const CreateForm = ({ onDone }: { onDone: () => void }) => {
  const [assignee, setAssignee] = useState<string>();
  const [group, setGroup] = useState<string>();
  const navigate = useNavigate();
  const creating = useTicketChange((data: FormData) =>
    call(createTicket, {
      body: {
        requester: { mail: textOf(data, 'mail') ?? null, name: textOf(data, 'name') ?? null },
        subject: textOf(data, 'subject') ?? null,
        message: textOf(data, 'message') ?? null,
        assignee_id: assignee ?? null,
        group_ids: group === undefined ? null : [Number(group)],
      },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>): void =>
    creating.mutate(new FormData(event.currentTarget), {
      onSuccess: ({ ticket }) => {
        onDone();
        void navigate({ to: '/tickets/$', params: { _splat: ticket.id } });
      },
    });
  return (
    <Form onSubmit={submit}>
      <Stack gap="sm">
        <MailAddresses />
        <TextInput name="mail" type="email" label={t('requesterEmail')} required maxLength={254} data-autofocus />
        <TextInput name="name" label={t('requesterName')} maxLength={200} />
        <TextInput name="subject" label={t('subject')} maxLength={500} />
        <Textarea name="message" label={t('description')} required autosize minRows={4} maxRows={12} />
        <GroupChoice label={t('group')} none={t('allAgents')} value={group} onChange={setGroup} />
        <AgentChoice label={t('assignee')} none={t('unassigned')} value={assignee} onChange={setAssignee} />
        <Dimmed size="xs">{t('theRequesterIsntNotifiedUntil')}</Dimmed>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={creating.isPending}>
            {t('createTicket')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
};

export const CreateTicket = () => {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
        {t('newTicket')}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t('newTicket')} closeButtonProps={{ 'aria-label': t('close') }}>
        <CreateForm onDone={close} />
      </Modal>
    </>
  );
};
