import type { OrganizationScope } from '../scope.ts';
import { isOurMessageId } from './classify-mail.ts';
import { readTicketAddress } from './mail-address.ts';
import type { ReadMail } from './read-mail.ts';
import type { Automatic } from './records.ts';

/** Tickets with one of these mails, in the order of the ids. */
const ticketsOf = async (scope: OrganizationScope, messageIds: string[]): Promise<string[]> => {
  if (messageIds.length === 0) return [];
  const rows = await scope
    .from('ticketMessageIds')
    .where('messageId', 'in', messageIds)
    .orderBy('createdAt', 'desc')
    .select(['messageId', 'ticketId'])
    .execute();
  return messageIds.flatMap((id) => rows.filter(({ messageId }) => messageId === id).map(({ ticketId }) => ticketId));
};

/** Whether this address has a part in the ticket, or in one that is merged with it. */
const takesPart = async (scope: OrganizationScope, ticketId: string, addresses: string[]): Promise<boolean> => {
  const { rows } = await scope.executor.query<{ found: boolean }>({
    text: `
select exists (
  select from tickets t where t.organization_id = $1 and t.id = $2 and lower(t.requester_mail) = any ($3)
) or exists (
  select from ticket_events e
  where e.organization_id = $1 and (e.ticket_id = $2 or $2 = any (e.former_ticket_ids))
    and e.author_type = 'client' and lower(e.author_id) = any ($3)
) as found`,
    values: [scope.organizationId, ticketId, addresses],
  });
  return rows[0]!.found;
};

/**
 * The ticket a mail belongs to. An address that we signed is proof enough; Message-IDs are known to many, so they count for
 * those only who have a part in the ticket. What a machine sends back to us names the mail of ours that it is about.
 */
export const findThread = async (
  scope: OrganizationScope,
  mail: ReadMail,
  { recipients, automatic }: { recipients: string[]; automatic: Automatic | undefined },
): Promise<string | undefined> => {
  for (const address of [...recipients, ...mail.to]) {
    const ticketId = readTicketAddress(scope, address);
    if (ticketId) return ticketId;
  }
  if (automatic === 'loop' || automatic === 'bounce') {
    const named = [mail.messageId ?? '', ...mail.references, ...mail.mentionedIds].filter(isOurMessageId);
    const [ticketId] = await ticketsOf(scope, [...new Set(named)]);
    if (ticketId) return ticketId;
  }
  const senders = [mail.from, mail.replyTo].flatMap((one) => (one ? one.address.toLowerCase() : []));
  for (const ticketId of new Set(await ticketsOf(scope, mail.references)))
    if (await takesPart(scope, ticketId, senders)) return ticketId;
  return undefined;
};
