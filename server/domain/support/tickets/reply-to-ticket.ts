import { requireAgent } from '../../access.ts';
import { assertMayMail } from '../../accounts/addresses/assert-may-mail.ts';
import { invalid } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { readFileAddress } from '../files/address.ts';
import { getSendableFile } from '../files/find-file.ts';
import { markFilesUsed } from '../files/mark-used.ts';
import { isEmail } from '../forms/email.ts';
import { actingAuthor } from './acting-author.ts';
import { appendTicketEvents, type TicketEventDraft } from './append-event.ts';
import { changeOf, emitTicketChanged } from './change-status.ts';
import { checkMessage } from './create-ticket.ts';
import { getTicket } from './get-ticket.ts';
import { newMessageId, ticketAddress } from './mail/mail-address.ts';
import { assertMailLimit } from './mail/mail-limit.ts';
import { listMessageIds, recordMessageId } from './mail/thread-ids.ts';
import { ratingUrl } from './rate-ticket.ts';
import type { TicketAuthor, TicketFile, TicketRecord, TicketStatus } from './records.ts';
import { lockTicket, type TicketRow } from './visible-tickets.ts';

export interface ReplyInput {
  ticketId: string;
  message: string;
  /** URLs of uploaded files. */
  files?: string[] | undefined;
  /** The status after the reply. */
  status?: TicketStatus | undefined;
}

const findFiles = async (scope: OrganizationScope, urls: string[] = []): Promise<TicketFile[]> => {
  const publicUrl = scope.services.installation.publicUrl();
  const files: TicketFile[] = [];
  for (const url of urls) {
    const id = readFileAddress({ url, publicUrl, organizationId: scope.organizationId });
    const { name, contentType, size } = await getSendableFile(scope, id);
    files.push({ id, name, url, contentType, size });
  }
  return files;
};

const useFiles = ({ executor, organizationId, now }: OrganizationScope, files: TicketFile[]): Promise<void> =>
  markFilesUsed(
    executor,
    files.map(({ id: fileId }) => ({ organizationId, fileId, at: now() })),
  );

const assertNotMerged = ({ mergedInto }: TicketRow): void => {
  if (mergedInto) throw invalid('ticketId', `is merged into ${mergedInto}. Reply to that ticket instead`);
};

/** Mails a public reply in the thread of earlier mails. */
const mailReply = async (
  tx: Transaction<OrganizationScope>,
  row: TicketRow,
  { author, message, files }: { author: TicketAuthor; message: string; files: TicketFile[] },
): Promise<void> => {
  const before = await listMessageIds(tx, row.id);
  const messageId = newMessageId(tx.services.installation);
  const replyTo = await ticketAddress(tx, row.id);
  await recordMessageId(tx, { ticketId: row.id, messageId, isOurs: true });
  const answered = (before.findLast(({ isOurs }) => !isOurs) ?? before.at(-1))?.messageId;
  tx.emit({
    type: 'ticket_replied',
    organizationId: tx.organizationId,
    mail: {
      to: { mail: row.requesterMail, name: row.requesterName },
      agentName: author.name,
      subject: row.subject,
      isAnswer: answered !== undefined || row.sourceType === 'mail',
      text: message,
      files: files.map(({ name, url }) => ({ name, url })),
      messageId,
      ...(replyTo ? { replyTo } : {}),
      ...(answered ? { inReplyTo: answered } : {}),
      references: before.map((one) => one.messageId),
      ratingUrl: ratingUrl(tx, row.id),
    },
  });
};

/** Adds a public reply and mails it to the requester, unless there are only automatic mails so far. */
export const replyToTicket = (scope: OrganizationScope, input: ReplyInput): Promise<TicketRecord> => {
  const agent = requireAgent(scope.actor);
  const message = checkMessage(input.message);
  return scope.transaction(async (tx) => {
    const row = await lockTicket(tx, input.ticketId);
    assertNotMerged(row);
    const author = await actingAuthor(tx);
    const files = await findFiles(tx, input.files);
    const mailed = !row.suppressEmail && isEmail(row.requesterMail);
    if (mailed) {
      await assertMayMail(tx);
      await assertMailLimit(tx, row.requesterMail);
    }
    const content = { type: 'message', message, source: 'agent-app-manual', mailed } as const;
    const drafts: Omit<TicketEventDraft, 'ticketId'>[] = [
      { author, content: { ...content, ...(files.length > 0 ? { files } : {}) } },
    ];
    const change = input.status && input.status !== row.status ? changeOf(tx, row, input.status, author) : undefined;
    if (change) drafts.push(change.event);
    const first = row.firstResponseAt ? {} : { firstResponseAt: tx.now(), firstResponseBy: agent.id };
    await appendTicketEvents(tx, row.id, drafts, { ...first, ...change?.columns });
    await useFiles(tx, files);
    if (mailed) await mailReply(tx, row, { author, message, files });
    emitTicketChanged(tx, row);
    return getTicket(tx, { id: row.id });
  });
};

/** Adds a private note, which is not mailed. */
export const addTicketNote = (
  scope: OrganizationScope,
  input: Pick<ReplyInput, 'ticketId' | 'message' | 'files'>,
): Promise<TicketRecord> => {
  requireAgent(scope.actor);
  const message = checkMessage(input.message);
  return scope.transaction(async (tx) => {
    const row = await lockTicket(tx, input.ticketId);
    assertNotMerged(row);
    const files = await findFiles(tx, input.files);
    const content = { type: 'message', message, source: 'agent-app-manual' } as const;
    await appendTicketEvents(tx, row.id, [
      {
        author: await actingAuthor(tx),
        isPrivate: true,
        content: { ...content, ...(files.length > 0 ? { files } : {}) },
      },
    ]);
    await useFiles(tx, files);
    emitTicketChanged(tx, row);
    return getTicket(tx, { id: row.id });
  });
};
