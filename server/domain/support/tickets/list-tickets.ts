import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { resolveTimeZone } from '../archives/time-zone.ts';
import { filterTickets, type TicketFilters } from './filter-tickets.ts';
import { loadTickets } from './load-tickets.ts';
import type { TicketPage } from './records.ts';
import { visibleTickets } from './visible-tickets.ts';

export interface ListTicketsInput extends TicketFilters {
  /** Counts from 1. */
  page?: number | undefined;
  /** Order by last change; default: latest first. */
  order?: 'asc' | 'desc' | undefined;
}

const PAGE_SIZE = 25;
const LAST_PAGE = 1000;

const checkInput = ({ page = 1, dateFrom, dateTo }: ListTicketsInput): void => {
  if (page > LAST_PAGE) throw invalid('page', `must be at most ${LAST_PAGE}: narrow the dates to reach older tickets`);
  if (dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo)
    throw invalid('dateFrom', 'must not be after `dateTo`');
};

export const pagesOf = (total: number): number => Math.ceil(total / PAGE_SIZE);

/** Returns a page of tickets. Merged tickets are part of their target. */
export const listTickets = async (scope: OrganizationScope, input: ListTicketsInput): Promise<TicketPage> => {
  const tickets = visibleTickets(scope);
  checkInput(input);
  const { organizationId } = scope;
  if (input.text !== undefined) await scope.services.projections.applyPending(organizationId, 'ticket_search');
  const timeZone = await resolveTimeZone(scope, undefined);
  const found = filterTickets(tickets, input, { organizationId, timeZone });
  const order = input.order ?? 'desc';
  const [rows, { total }] = await Promise.all([
    found
      .selectAll('tickets')
      .orderBy('tickets.modifiedAt', order)
      .orderBy('tickets.id', order)
      .limit(PAGE_SIZE)
      .offset(((input.page ?? 1) - 1) * PAGE_SIZE)
      .execute(),
    found.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { items: await loadTickets(scope, rows), total, pages: pagesOf(total) };
};
