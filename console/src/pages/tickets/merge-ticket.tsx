import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { listTickets, mergeTickets, type Ticket } from '#contracts/agent/tickets.ts';
import { call } from '../../api/call.ts';
import { keys } from '../../api/queries.ts';
import { notifySuccess } from '../../design/notices.ts';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { StatusBadge } from './status-badge.tsx';
import { t } from './t.ts';
import classes from './ticket.module.css';
import { useTicketChange } from './use-tickets.ts';

/** Without a search: other tickets of the same requester. */
const findOthers = async (ticket: Ticket, words: string | undefined) => {
  const filters = words ? { query: words } : { requester_mail: ticket.requester.mail };
  const { tickets } = await call(listTickets, { body: { filters } });
  return tickets.filter(({ id, merged_into }) => id !== ticket.id && !merged_into);
};

const ChooseTarget = ({ ticket, onDone }: { ticket: Ticket; onDone: () => void }) => {
  const [words, setWords] = useState<string>();
  const navigate = useNavigate();
  const others = useQuery({
    queryKey: [...keys.tickets, 'list', 'others', ticket.id, words],
    queryFn: () => findOthers(ticket, words),
  });
  const merge = useTicketChange((into: string) =>
    call(mergeTickets, { body: { ticket_id: ticket.id, into_ticket_id: into } }),
  );
  const mergeInto = (id: string): void =>
    merge.mutate(id, {
      onSuccess: () => {
        notifySuccess(t('ticketsMerged'));
        onDone();
        void navigate({ to: '/tickets/$', params: { _splat: id }, search: true as never });
      },
    });
  return (
    <Stack gap="sm">
      <Text size="sm">{t('allMessagesMoveToThe')}</Text>
      <SearchBox label={t('searchTickets')} value={words} onChange={setWords} />
      <Loaded query={others} empty={<Empty title={t('noMatchingTickets')}>{t('searchByKeyword')}</Empty>}>
        {(tickets) => (
          <ul className={classes.others}>
            {tickets.map(({ id, subject, requester, status }) => (
              <li key={id}>
                <button type="button" disabled={merge.isPending} onClick={() => mergeInto(id)}>
                  <span>{subject}</span>
                  <small>
                    {id} · {requester.mail}
                  </small>
                  <StatusBadge status={status} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Stack>
  );
};

export const MergeTicket = ({ ticket }: { ticket: Ticket }) => {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {t('merge')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('mergeIntoAnotherTicket')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <ChooseTarget ticket={ticket} onDone={close} />
      </Modal>
    </>
  );
};
