import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import { requireCustomer } from '../../access.ts';
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
/** Anybody's address can be named, and what visitors wrote is theirs: nobody gets many, and no account sends a flood. */
const PER_ADDRESS = 5;
const PER_ORGANIZATION = 100;
/** What customers ask for leaves room for what agents send. */
const BY_CUSTOMERS = 60;
const PER_THREAD_BY_CUSTOMERS = 3;

/** How long until one more may go, in seconds. */
const waitSeconds = async (
  tx: OrganizationScope,
  { threadId, recipient }: { threadId: string; recipient: string },
): Promise<number | undefined> => {
  const now = tx.now().getTime();
  const recent = tx
    .from('transcriptMails')
    .where('createdAt', '>', new Date(now - HOUR_MS))
    .orderBy('createdAt', 'desc')
    .select('createdAt');
  const full = [
    await recent
      .where('recipient', '=', recipient)
      .offset(PER_ADDRESS - 1)
      .executeTakeFirst(),
    await recent.offset(PER_ORGANIZATION - 1).executeTakeFirst(),
  ];
  if (tx.actor.kind === 'customer') {
    const byCustomers = recent.where('sentBy', '=', 'customer');
    full.push(
      await byCustomers.offset(BY_CUSTOMERS - 1).executeTakeFirst(),
      await byCustomers
        .where('threadId', '=', threadId)
        .offset(PER_THREAD_BY_CUSTOMERS - 1)
        .executeTakeFirst(),
    );
  }
  const waits = full.flatMap((row) => (row ? [row.createdAt.getTime() + HOUR_MS - now] : []));
  return waits.length > 0 ? Math.ceil(Math.max(...waits) / 1000) : undefined;
};

/** Those that no longer count. Whom a transcript went to is nobody's business afterwards. */
export const removeOldTranscriptMails = async (scope: OrganizationScope): Promise<number> => {
  const { numDeletedRows } = await scope
    .remove('transcriptMails')
    .where('createdAt', '<=', new Date(scope.now().getTime() - HOUR_MS))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};

interface Sent {
  chat: ArchivedChat;
  timeZone: string;
  threadId: string;
  to: string;
}

const mail = (scope: OrganizationScope, { chat, timeZone, threadId, to }: Sent): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockInTransaction(tx.executor, 'transcripts', tx.organizationId);
    const recipient = to.toLowerCase();
    const retryAfterSeconds = await waitSeconds(tx, { threadId, recipient });
    if (retryAfterSeconds !== undefined)
      throw new DomainError('too_many_requests', 'Too many transcripts were sent', { retryAfterSeconds });
    const sentBy = tx.actor.kind === 'agent' ? tx.actor.id : tx.actor.kind;
    await tx.insert('transcriptMails', { threadId, recipient, sentBy, createdAt: tx.now() }).execute();
    const { organizationId } = tx;
    tx.emit({ type: 'transcript_requested', organizationId, transcript: writeTranscript(chat, to, timeZone) });
  });

/** Mails what was said in a chat that the agent may look up. */
export const sendTranscript = async (
  scope: OrganizationScope,
  { threadId, to: given }: { threadId: string; to: string },
): Promise<void> => {
  const to = given.trim();
  if (!isEmail(to)) throw invalid('to', 'must be an email address');
  await mail(scope, { ...(await getArchivedChat(scope, { threadId })), threadId, to });
};

/** Mails customers their own chat, once an agent has answered: nobody can have us mail what only they themselves wrote. */
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
  if (!answered) throw new DomainError('validation', 'Nobody has answered in this thread yet');
  await mail(scope, { chat, timeZone: await resolveTimeZone(scope, undefined), threadId, to });
};
