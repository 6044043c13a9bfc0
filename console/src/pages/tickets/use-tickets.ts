import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getTicket, listTickets, type Ticket } from '#contracts/agent/tickets.ts';
import type { PushAction } from '#contracts/chat/frames.ts';
import { call } from '../../api/call.ts';
import { keys, queryClient, refetch } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../design/use-action.ts';
import { usePushes } from '../../realtime/live.ts';
import { useRefetchOn } from '../../realtime/use-refetch-on.ts';
import { type TicketFilters, toTicketQuery } from './filters.ts';

const lists = [...keys.tickets, 'list'] as const;
const oneKey = (id: string) => [...keys.tickets, 'one', id] as const;

export const useTicketList = (filters: TicketFilters) => {
  const { login } = useSession();
  const body = toTicketQuery(filters, login);
  return useQuery({
    queryKey: [...lists, body],
    queryFn: () => call(listTickets, { body }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
};

export const useTicket = (id: string) =>
  useQuery({
    queryKey: oneKey(id),
    queryFn: async () => (await call(getTicket, { body: { ticket_id: id } })).ticket,
    staleTime: 0,
  });

/** A change returns the updated ticket; lists are refetched. */
export const useTicketChange = <V>(change: (input: V) => Promise<{ ticket: Ticket }>) =>
  useAction(change, ({ ticket }) => {
    queryClient.setQueryData(oneKey(ticket.id), ticket);
    void refetch(lists);
  });

const CHANGES: ReadonlySet<PushAction> = new Set(['ticket_created', 'ticket_changed']);

/** Shows changes of other agents: immediately in the open ticket, with a short delay in the list. */
export const useTicketPushes = (): void => {
  useRefetchOn(CHANGES, lists);
  usePushes((batch) => {
    const changed = batch.flatMap((push) => (push.action === 'ticket_changed' ? [push.payload.ticket_id] : []));
    for (const id of new Set(changed)) void queryClient.invalidateQueries({ queryKey: oneKey(id) });
  });
};
