import { notFound } from '../../../errors.ts';
import { isShortId, isUuid } from '../../../ids.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../../scope.ts';
import type { TicketRating } from '../records.ts';
import { appendTicketEvents } from './append-event.ts';
import { tellChanged } from './change-status.ts';
import { holdMerged } from './merge-tickets.ts';

const signedText = (organizationId: string, ticketId: string): string => `rate ticket ${organizationId} ${ticketId}`;

/** A page where the requester says how it went. Only a mail to the requester tells it. */
export const ratingUrl = ({ services, organizationId }: OrganizationScope, ticketId: string): string => {
  const signature = services.secrets.sign(signedText(organizationId, ticketId));
  return `${services.publicUrl()}/ticket-rating/${organizationId}.${ticketId}.${signature}`;
};

interface Rated {
  organizationId: string;
  ticketId: string;
}

/** Whose ticket a link is for; it was made by us or leads nowhere. */
const readRatingToken = ({ secrets }: Pick<Services, 'secrets'>, token: string): Rated => {
  const [organizationId = '', ticketId = '', signature = ''] = token.split('.');
  const isOurs =
    isUuid(organizationId) && isShortId(ticketId) && secrets.isSigned(signedText(organizationId, ticketId), signature);
  if (!isOurs) throw notFound('Ticket');
  return { organizationId, ticketId };
};

export interface RatedTicket {
  organizationName: string;
  subject: string;
}

/** What the link is about; whoever has it was mailed about that. */
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

/** The last word counts; saying the same again changes nothing. */
export const rateTicket = async (
  services: Services,
  { token, rate }: { token: string; rate: TicketRating },
): Promise<void> => {
  const { organizationId, ticketId } = readRatingToken(services, token);
  const scope = openOrganizationScope(services, { kind: 'system' }, organizationId);
  await scope.transaction(async (tx) => {
    const held = await holdMerged(tx, ticketId);
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
    tellChanged(tx, row);
  });
};
