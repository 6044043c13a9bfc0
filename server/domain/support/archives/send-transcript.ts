import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import { requireCustomer } from '../../access.ts';
import { assertMayMail } from '../../accounts/addresses/assert-may-mail.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getChatRow } from '../chats/read/find-chat.ts';
import { isEmail } from '../forms/email.ts';
import { getArchivedChat } from './get-archived-chat.ts';
import { loadArchivedChats } from './load-archived-chats.ts';
import type { ArchivedChat } from './records.ts';
import { resolveTimeZone } from './time-zone.ts';
import { writeTranscript } from './transcript.ts';

const HOUR_MS = 3600 * 1000;
/** Hourly limits, because any address can be entered and visitors control the content. */
const MAX_PER_ADDRESS = 5;
const MAX_PER_ORGANIZATION = 100;
/** Below the organization's limit, so that customers cannot use up the quota of agents. */
const MAX_BY_CUSTOMERS = 60;
const MAX_PER_THREAD_BY_CUSTOMERS = 3;
const MAX_RECIPIENTS_PER_THREAD = 2;
/** To addresses that are neither the customer's nor an agent's. */
const MAX_TO_STRANGERS = 20;

/** Whether the address belongs neither to the customer of the chat nor to an agent. */
const isStranger = async (tx: OrganizationScope, chatId: string, recipient: string): Promise<boolean> => {
  const { rows } = await tx.executor.query<{ known: boolean }>({
    text: `
      select exists (
        select from agents a where a.organization_id = $1 and a.id = $3 and a.deleted_at is null and a.kind = 'person'
      ) or exists (
        select from chats c join customers k on k.organization_id = $1 and k.id = c.customer_id
        where c.organization_id = $1 and c.id = $2 and lower(k.email) = $3) as known`,
    values: [tx.organizationId, chatId, recipient],
  });
  return !rows[0]!.known;
};

/** Returns the seconds until another transcript may be sent, or undefined if one may be sent now. */
const getRetryAfterSeconds = async (
  tx: OrganizationScope,
  { threadId, recipient, toStranger }: { threadId: string; recipient: string; toStranger: boolean },
): Promise<number | undefined> => {
  const now = tx.now().getTime();
  const recent = tx
    .from('transcriptMails')
    .where('createdAt', '>', new Date(now - HOUR_MS))
    .orderBy('createdAt', 'desc')
    .select('createdAt');
  const blocking = [
    await recent
      .where('recipient', '=', recipient)
      .offset(MAX_PER_ADDRESS - 1)
      .executeTakeFirst(),
    await recent.offset(MAX_PER_ORGANIZATION - 1).executeTakeFirst(),
  ];
  if (tx.actor.kind !== 'customer' && toStranger)
    blocking.push(
      await recent
        .where('toStranger', '=', true)
        .where('sentBy', '<>', 'customer')
        .offset(MAX_TO_STRANGERS - 1)
        .executeTakeFirst(),
    );
  if (tx.actor.kind === 'customer') {
    const byCustomers = recent.where('sentBy', '=', 'customer');
    blocking.push(
      // Customers can enter any address; the second one is for correcting the first.
      await byCustomers
        .where('threadId', '=', threadId)
        .where('recipient', '<>', recipient)
        .offset(MAX_RECIPIENTS_PER_THREAD - 1)
        .executeTakeFirst(),
      await byCustomers.offset(MAX_BY_CUSTOMERS - 1).executeTakeFirst(),
      await byCustomers
        .where('threadId', '=', threadId)
        .offset(MAX_PER_THREAD_BY_CUSTOMERS - 1)
        .executeTakeFirst(),
    );
  }
  const waits = blocking.flatMap((row) => (row ? [row.createdAt.getTime() + HOUR_MS - now] : []));
  return waits.length > 0 ? Math.ceil(Math.max(...waits) / 1000) : undefined;
};

/** Removes records that no longer count toward the limits. Recipients are not stored longer than necessary. */
export const removeOldTranscriptMails = async (scope: OrganizationScope): Promise<number> => {
  const { numDeletedRows } = await scope
    .remove('transcriptMails')
    .where('createdAt', '<=', new Date(scope.now().getTime() - HOUR_MS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

interface TranscriptRequest {
  chat: ArchivedChat;
  timeZone: string;
  threadId: string;
  to: string;
}

const emailTranscript = (
  scope: OrganizationScope,
  { chat, timeZone, threadId, to }: TranscriptRequest,
): Promise<void> =>
  scope.transaction(async (tx) => {
    await assertMayMail(tx);
    await lockInTransaction(tx.executor, 'transcripts', tx.organizationId);
    const recipient = to.toLowerCase();
    const toStranger = await isStranger(tx, chat.chatId, recipient);
    const retryAfterSeconds = await getRetryAfterSeconds(tx, { threadId, recipient, toStranger });
    if (retryAfterSeconds !== undefined)
      throw new DomainError('too_many_requests', 'Too many transcripts were sent', { retryAfterSeconds });
    const sentBy = tx.actor.kind === 'agent' ? tx.actor.id : tx.actor.kind;
    await tx.insert('transcriptMails', { threadId, recipient, toStranger, sentBy, createdAt: tx.now() }).execute();
    const { organizationId } = tx;
    tx.emit({ type: 'transcript_requested', organizationId, transcript: writeTranscript(chat, to, timeZone) });
  });

/** Emails the transcript of a chat that the agent may see. */
export const sendTranscript = async (
  scope: OrganizationScope,
  { threadId, to: input }: { threadId: string; to: string },
): Promise<void> => {
  const to = input.trim();
  if (!isEmail(to)) throw invalid('to', 'must be an email address');
  await emailTranscript(scope, { ...(await getArchivedChat(scope, { threadId })), threadId, to });
};

/**
 * Emails customers their own chat. An agent must have replied, so that Parley cannot be used to send arbitrary text to
 * any address.
 */
export const sendOwnTranscript = async (
  scope: OrganizationScope,
  { chatId, threadId, email }: { chatId: string; threadId: string; email: string },
): Promise<void> => {
  requireCustomer(scope.actor);
  const to = email.trim();
  if (!isEmail(to)) throw invalid('email', 'must be an email address');
  const { id } = await getChatRow(scope, chatId);
  const [chat] = await loadArchivedChats(scope, [threadId]);
  if (chat?.chatId !== id) throw notFound('Thread');
  const answered = chat.events.some(({ author, visibility }) => author.kind === 'agent' && visibility === 'all');
  if (!answered) throw new DomainError('validation', 'No agent has replied in this thread yet');
  await emailTranscript(scope, { chat, timeZone: await resolveTimeZone(scope, undefined), threadId, to });
};
