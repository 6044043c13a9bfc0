import type { OrganizationScope } from '../../../scope.ts';
import type { Automatic } from '../records.ts';
import { isOurMessageId } from './classify-mail.ts';
import { readTicketAddress } from './mail-address.ts';
import type { ReadMail } from './read-mail.ts';

/** Whether one of these addresses participates in the ticket of `m`, following merges. */
const IS_PARTICIPANT = `exists (
  with recursive home as (
    select t.id, t.merged_into, t.requester_mail from tickets t where t.organization_id = $1 and t.id = m.ticket_id
    union all
    select n.id, n.merged_into, null from home h join tickets n on n.organization_id = $1 and n.id = h.merged_into
  )
  select from home h
  where lower(h.requester_mail) = any ($3) or exists (
    select from ticket_events e
    where e.organization_id = $1 and e.ticket_id = h.id and (h.id = m.ticket_id or m.ticket_id = any (e.former_ticket_ids))
      and e.author_type = 'client' and lower(e.author_id) = any ($3)))`;

const NEAREST = `
select m.ticket_id as "ticketId"
from unnest($2::text[]) with ordinality as a(message_id, ordinal)
join ticket_message_ids m on m.organization_id = $1 and m.message_id = a.message_id
where $3::text[] is null or ${IS_PARTICIPANT}
order by a.ordinal, m.created_at desc limit 1`;

/** The ticket of the first of these mails that belongs to one; restricted to `participants`, if given. */
const ticketOf = async (
  { executor, organizationId }: OrganizationScope,
  messageIds: string[],
  participants?: string[],
): Promise<string | undefined> => {
  if (messageIds.length === 0) return undefined;
  const values = [organizationId, messageIds, participants ?? null];
  return (await executor.query<{ ticketId: string }>({ text: NEAREST, values })).rows[0]?.ticketId;
};

/**
 * Finds the ticket of a mail. A reply address signed by us is sufficient proof. Message-IDs are known to many people,
 * so they count only for participants of the ticket. A bounce refers to the mail that was not delivered.
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
    const ticketId = await ticketOf(scope, named);
    if (ticketId) return ticketId;
  }
  const senders = [mail.from, mail.replyTo].flatMap((one) => (one ? one.address.toLowerCase() : []));
  return ticketOf(scope, mail.references, senders);
};
