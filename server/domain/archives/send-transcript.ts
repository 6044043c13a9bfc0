import { DomainError, invalid } from '../errors.ts';
import { isEmail } from '../forms/email.ts';
import type { OrganizationScope } from '../scope.ts';
import { getArchivedChat } from './get-archived-chat.ts';
import { writeTranscript } from './transcript.ts';

const HOUR_MS = 3600 * 1000;
/** Anybody's address can be named, and what visitors wrote is theirs: nobody gets many, and no account sends a flood. */
const PER_ADDRESS = 5;
const PER_ORGANIZATION = 100;

const TURN = `select pg_advisory_xact_lock(hashtextextended('transcripts ' || $1, 0))`;

/** How long until one more may go, in seconds. */
const waitSeconds = async (tx: OrganizationScope, recipient: string): Promise<number | undefined> => {
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

/** Mails what was said in a chat that the agent may look up. */
export const sendTranscript = async (
  scope: OrganizationScope,
  { threadId, to: given }: { threadId: string; to: string },
): Promise<void> => {
  const to = given.trim();
  if (!isEmail(to)) throw invalid('to', 'is no e-mail address');
  const { chat, timeZone } = await getArchivedChat(scope, { threadId });
  await scope.transaction(async (tx) => {
    await tx.executor.query({ text: TURN, values: [tx.organizationId] });
    const recipient = to.toLowerCase();
    const retryAfterSeconds = await waitSeconds(tx, recipient);
    if (retryAfterSeconds !== undefined)
      throw new DomainError('too_many_requests', 'Too many transcripts were sent', { retryAfterSeconds });
    const sentBy = tx.actor.kind === 'agent' ? tx.actor.id : tx.actor.kind;
    await tx.insert('transcriptMails', { threadId, recipient, sentBy, createdAt: tx.now() }).execute();
    const { organizationId } = tx;
    tx.emit({ type: 'transcript_requested', organizationId, transcript: writeTranscript(chat, to, timeZone) });
  });
};
