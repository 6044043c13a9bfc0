import { notFound } from '../../errors.ts';
import { isShortId, isUuid } from '../../ids.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../scope.ts';
import { appendTicketEvents } from './append-event.ts';
import { emitTicketChanged } from './change-status.ts';
import { lockMergeTarget } from './merge-tickets.ts';
import type { TicketRating } from './records.ts';

const signedText = (organizationId: string, ticketId: string): string => `rate ticket ${organizationId} ${ticketId}`;

/** The rating page of a ticket. Its signed URL is only sent to the requester by mail. */
export const ratingUrl = ({ services, organizationId }: OrganizationScope, ticketId: string): string => {
  const signature = services.secrets.sign(signedText(organizationId, ticketId));
  return `${services.installation.publicUrl()}/ticket-rating/${organizationId}.${ticketId}.${signature}`;
};

interface Rated {
  organizationId: string;
  ticketId: string;
}

/** The ticket of a signed link. */
const readRatingToken = ({ secrets }: Pick<Services, 'secrets'>, token: string): Rated => {
  const [organizationId = '', ticketId = '', signature = ''] = token.split('.');
  const isValid =
    isUuid(organizationId) && isShortId(ticketId) && secrets.isSigned(signedText(organizationId, ticketId), signature);
  if (!isValid) throw notFound('Ticket');
  return { organizationId, ticketId };
};

export interface RatedTicket {
  organizationName: string;
  subject: string;
}

/** The ticket data shown on the rating page. */
export const readRatedTicket = async (services: Services, token: string): Promise<RatedTicket> => {
  const { organizationId, ticketId } = readRatingToken(services, token);
  const ticket = await services.db
    .selectFrom('tickets')
    .innerJoin('organizations', 'organizations.id', 'tickets.organizationId')
    .where('tickets.organizationId', '=', organizationId)
    .where('tickets.id', '=', ticketId)
    .select(['organizations.name as organizationName', 'tickets.subject'])
    .executeTakeFirst();
  if (!ticket) throw notFound('Ticket');
  return ticket;
};

/** The last rating counts; repeating it has no effect. */
export const rateTicket = async (
  services: Services,
  { token, rate }: { token: string; rate: TicketRating },
): Promise<void> => {
  const { organizationId, ticketId } = readRatingToken(services, token);
  const scope = openOrganizationScope(services, { kind: 'system' }, organizationId);
  await scope.transaction(async (tx) => {
    const held = await lockMergeTarget(tx, ticketId);
    if (!held) throw notFound('Ticket');
    const { row } = held;
    if (row.rating === rate) return;
    const agentId = row.assigneeId ?? row.solvedBy ?? row.firstResponseBy;
    const author = { type: 'client', id: row.requesterMail, name: row.requesterName } as const;
    await appendTicketEvents(
      tx,
      row.id,
      [{ author, content: { type: 'rating', rate, ...(agentId ? { agentId } : {}) } }],
      { rating: rate, ratedAt: tx.now() },
    );
    emitTicketChanged(tx, row);
  });
};
