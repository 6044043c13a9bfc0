import { requireAgent } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { invalid } from '../../errors.ts';
import { newShortId } from '../../ids.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { markFilesUsed } from '../files/mark-used.ts';
import { isEmail } from '../forms/email.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { actingAuthor } from './acting-author.ts';
import { appendTicketEvents, cleanText, type TicketEventDraft } from './append-event.ts';
import { findAssignee } from './assignee.ts';
import { getTicket } from './get-ticket.ts';
import {
  MAX_MESSAGE_CHARACTERS,
  MAX_SUBJECT_CHARACTERS,
  type MessageContent,
  NO_SUBJECT,
  type TicketAuthor,
  type TicketRecord,
  type TicketSource,
} from './records.ts';

export interface Requester {
  mail: string;
  name?: string | undefined;
}

export interface NewTicket {
  requester: Requester;
  message: string;
  subject?: string | undefined;
  assignee?: string | undefined;
  groupIds?: number[] | undefined;
  source: { type: TicketSource; url?: string | undefined; id?: string | undefined };
}

/** Validated input. */
export interface TicketDraft {
  requester: { mail: string; name: string };
  subject: string;
  assigned?: { to: { id: string; name: string }; author: TicketAuthor } | undefined;
  groupIds: number[];
  source: NewTicket['source'];
  suppressEmail?: boolean;
  first: Omit<TicketEventDraft, 'ticketId'> & { content: MessageContent };
}

export const cleanSubject = (subject: string | undefined): string =>
  cleanText(subject ?? '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_SUBJECT_CHARACTERS)
    .toWellFormed() || NO_SUBJECT;

/** Inserts a ticket with its first message and emits it. */
export const openTicket = async (tx: Transaction<OrganizationScope>, draft: TicketDraft): Promise<TicketRecord> => {
  const id = newShortId();
  const at = tx.now();
  const { requester, subject, assigned, groupIds, source, suppressEmail = false, first } = draft;
  await tx
    .insert('tickets', {
      id,
      subject,
      status: 'open',
      requesterMail: requester.mail,
      requesterName: requester.name,
      assigneeId: assigned?.to.id ?? null,
      groupIds,
      sourceType: source.type,
      sourceUrl: source.url ?? null,
      sourceId: source.id ?? null,
      suppressEmail,
      createdAt: at,
      modifiedAt: at,
    })
    .execute();
  const events: Omit<TicketEventDraft, 'ticketId'>[] = [first];
  if (assigned) events.push({ author: assigned.author, content: { type: 'assignee_changed', to: assigned.to } });
  await appendTicketEvents(tx, id, events);
  const { organizationId } = tx;
  const uses = (first.content.files ?? []).map((file) => ({ organizationId, fileId: file.id, at }));
  await markFilesUsed(tx.executor, uses);
  const ticket = await getTicket(tx, { id });
  tx.emit({ type: 'ticket_created', organizationId, groupIds, ticket });
  return ticket;
};

export const checkMessage = (text: string): string => {
  const message = cleanText(text).trim();
  if (message === '') throw invalid('message', 'must not be empty');
  if (message.length > MAX_MESSAGE_CHARACTERS)
    throw invalid('message', `must not be longer than ${MAX_MESSAGE_CHARACTERS} characters`);
  return message;
};

export const checkRequester = ({ mail, name }: Requester): { mail: string; name: string } => {
  const address = mail.trim();
  if (!isEmail(address)) throw invalid('requester.mail', 'must be an email address');
  return { mail: address, name: cleanText(name ?? '').trim() };
};

export const checkGroups = async (tx: OrganizationScope, requested: number[] | undefined): Promise<number[]> => {
  const groupIds = requested && requested.length > 0 ? [...new Set(requested)] : [ALL_AGENTS];
  await assertGroupsExist(tx, groupIds);
  return groupIds;
};

/** Agents can see tickets they create or assign to others, regardless of the group. */
export const asSystem = (tx: Transaction<OrganizationScope>): Transaction<OrganizationScope> => ({
  ...tx,
  actor: { kind: 'system' },
});

/** Agents open this URL, so it may lack a scheme but must not run code in the browser. */
const namesOtherScheme = (url: string): boolean =>
  /^(?!https?:)[a-z][a-z\d+-]*:/i.test(url.replaceAll(/[\s\p{Cc}]/gu, ''));

/** Creates a ticket on behalf of an agent or an app. No mail is sent. */
export const createTicket = (scope: OrganizationScope, input: NewTicket): Promise<TicketRecord> => {
  if (scope.actor.kind !== 'system') requireAgent(scope.actor);
  const requester = checkRequester(input.requester);
  const message = checkMessage(input.message);
  if (input.source.url !== undefined && input.source.type !== 'chat-window')
    throw invalid('source.url', 'is allowed only with the source `chat-window`');
  if (input.source.url !== undefined && namesOtherScheme(input.source.url))
    throw invalid('source.url', 'must be an http or https URL');
  return scope.transaction(async (tx) => {
    const groupIds = await checkGroups(tx, input.groupIds);
    const assigned =
      input.assignee === undefined
        ? undefined
        : { to: await findAssignee(tx, input.assignee), author: await actingAuthor(tx) };
    return openTicket(asSystem(tx), {
      requester,
      subject: cleanSubject(input.subject),
      assigned,
      groupIds,
      source: input.source,
      first: {
        author: { type: 'client', id: requester.mail, name: requester.name },
        content: { type: 'message', message, source: input.source.type },
      },
    });
  });
};
