import { ALL_AGENTS } from '../../../all-agents-group.ts';
import type { ContentStore } from '../../../files/content-store.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { markFilesUsed } from '../../files/mark-used.ts';
import { isEmail } from '../../forms/email.ts';
import { withoutDeletedGroups } from '../../groups/online.ts';
import { appendTicketEvents, cleanText, SYSTEM, type TicketEventDraft } from '../append-event.ts';
import { changeOf, emitTicketChanged } from '../change-status.ts';
import { cleanSubject, openTicket } from '../create-ticket.ts';
import { lockMergeTarget } from '../merge-tickets.ts';
import type { Automatic, MessageContent, TicketAuthor } from '../records.ts';
import { unassignDeletedAgent } from '../release-tickets.ts';
import { classifyMail } from './classify-mail.ts';
import { findThread } from './find-thread.ts';
import type { ReadMail } from './read-mail.ts';
import { findMailOwner } from './receive-mail.ts';
import { type StoredAttachments, storeAttachments } from './store-attachments.ts';
import { recordMessageId } from './thread-ids.ts';

export interface StoredMail {
  id: string;
  envelopeFrom: string;
  recipients: string[];
}

/** A top-level domain that is reserved for names that never exist. */
const UNKNOWN_SENDER = 'unknown@sender.invalid';
const HOUR_MS = 3_600_000;
const MAX_PER_HOUR = 30;
const EMPTY = '(empty message)';
const MAX_NAME_CHARACTERS = 200;

/** The requester is the Reply-To address, or else the sender. Mails are never attributed to agents. */
const senderOf = ({ from, replyTo }: ReadMail, envelopeFrom: string): { mail: string; name: string } => {
  const named = [replyTo, from, { address: envelopeFrom, name: '' }].find((one) => one && isEmail(one.address.trim()));
  const name = cleanText(from?.name || named?.name || '').trim();
  return { mail: named?.address.trim() ?? UNKNOWN_SENDER, name: name.slice(0, MAX_NAME_CHARACTERS).toWellFormed() };
};

const exceedsMailLimit = async (scope: OrganizationScope, sender: string): Promise<boolean> => {
  const { count } = await scope
    .from('incomingMails')
    .where('sender', '=', sender.toLowerCase())
    .where('receivedAt', '>', new Date(scope.now().getTime() - HOUR_MS))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count >= MAX_PER_HOUR;
};

const contentOf = (
  mail: ReadMail,
  { files, dropped }: StoredAttachments,
  automatic: Automatic | undefined,
): MessageContent => ({
  type: 'message',
  message: cleanText(mail.text).trim() || EMPTY,
  ...(mail.html ? { html: cleanText(mail.html) } : {}),
  source: 'mail',
  ...(files.length > 0 ? { files } : {}),
  ...(dropped.length > 0 ? { dropped } : {}),
  ...(automatic ? { automatic } : {}),
  ...(mail.malformed ? { malformed: true } : {}),
});

interface Filing {
  mail: ReadMail;
  author: TicketAuthor;
  content: MessageContent;
}

/** A person's answer reopens a solved or pending ticket; an automatic mail does not. */
const addToTicket = async (
  tx: Transaction<OrganizationScope>,
  { author, content }: Filing,
  held: NonNullable<Awaited<ReturnType<typeof lockMergeTarget>>>,
): Promise<string> => {
  const { row, formerTicketIds } = held;
  const drafts: Omit<TicketEventDraft, 'ticketId'>[] = [{ author, content, formerTicketIds }];
  const isPerson = content.automatic === undefined;
  const reopened =
    isPerson && (row.status === 'solved' || row.status === 'pending') ? changeOf(tx, row, 'open', SYSTEM) : undefined;
  const released = reopened && (await unassignDeletedAgent(tx, row));
  for (const change of [reopened, released]) if (change) drafts.push(change.event);
  // Groups and agents may have been deleted since.
  const groupIds = reopened ? await withoutDeletedGroups(tx, row.groupIds) : row.groupIds;
  const columns = {
    ...reopened?.columns,
    ...released?.columns,
    groupIds,
    ...(isPerson ? { suppressEmail: false } : {}),
  };
  await appendTicketEvents(tx, row.id, drafts, columns);
  const at = tx.now();
  const { organizationId } = tx;
  await markFilesUsed(
    tx.executor,
    (content.files ?? []).map(({ id: fileId }) => ({ organizationId, fileId, at })),
  );
  emitTicketChanged(tx, row, groupIds);
  return row.id;
};

/** A ticket for a mail from our own address would make us answer ourselves. */
const isOwnAddress = async (scope: OrganizationScope, address: string): Promise<boolean> =>
  (await findMailOwner({ db: scope.db, mailDomain: scope.services.installation.mailDomain }, address)) !== undefined;

const openFromMail = async (tx: Transaction<OrganizationScope>, { mail, author, content }: Filing): Promise<string> => {
  const { id } = await openTicket(tx, {
    requester: { mail: author.id, name: author.name },
    subject: cleanSubject(mail.subject),
    groupIds: [ALL_AGENTS],
    source: { type: 'mail' },
    suppressEmail:
      content.automatic !== undefined || author.id === UNKNOWN_SENDER || (await isOwnAddress(tx, author.id)),
    first: { author, content },
  });
  return id;
};

/**
 * Adds a stored mail to its ticket or creates one. It is idempotent, so concurrent and repeated runs are safe. `raw` is
 * attached to mails that could not be parsed.
 */
export const fileMail = async (
  scope: OrganizationScope,
  store: ContentStore,
  { waiting, mail, raw }: { waiting: StoredMail; mail: ReadMail; raw: Uint8Array },
): Promise<void> => {
  const sender = senderOf(mail, waiting.envelopeFrom);
  const automatic =
    classifyMail(mail, waiting.envelopeFrom) ?? ((await exceedsMailLimit(scope, sender.mail)) ? 'too_many' : undefined);
  const original = { name: 'message.eml', contentType: 'message/rfc822', content: raw };
  const attachments = mail.malformed && raw.length > 0 ? [original, ...mail.attachments] : mail.attachments;
  const content = contentOf(mail, await storeAttachments(scope, store, sender.mail, attachments), automatic);
  const filing: Filing = { mail, author: { type: 'client', id: sender.mail, name: sender.name }, content };
  await scope.transaction(async (tx) => {
    const row = await tx
      .from('incomingMails')
      .where('id', '=', waiting.id)
      .where('filedAt', 'is', null)
      .select('id')
      .forUpdate()
      .executeTakeFirst();
    if (!row) return;
    const thread = await findThread(tx, mail, { recipients: waiting.recipients, automatic });
    const held = thread ? await lockMergeTarget(tx, thread) : undefined;
    const ticketId = held ? await addToTicket(tx, filing, held) : await openFromMail(tx, filing);
    if (mail.messageId && automatic !== 'loop')
      await recordMessageId(tx, { ticketId, messageId: mail.messageId, isOurs: false });
    await tx
      .update('incomingMails')
      .where('id', '=', waiting.id)
      .set({ filedAt: tx.now(), nextAttemptAt: null, ticketId, sender: sender.mail.toLowerCase() })
      .execute();
  });
};
