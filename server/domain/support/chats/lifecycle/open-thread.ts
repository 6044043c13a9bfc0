import type { Properties } from '#server/storage/tables/chats.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import { DomainError } from '../../../errors.ts';
import { newShortId } from '../../../ids.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { markFilesUsed } from '../../files/mark-used.ts';
import { claimGreeting } from '../../greetings/find-shown-greeting.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import type { QueuePosition } from '../../routing/records.ts';
import { routeNewChat } from '../../routing/route-new-chat.ts';
import { type AssignableChat, setAssignee } from '../../routing/set-assignee.ts';
import { createTicketFromForm, isTicketForm } from '../../tickets/from-form.ts';
import { appendEvents, fileUses } from '../append/append-statement.ts';
import { checkDraft } from '../append/check-draft.ts';
import { completeEvent } from '../append/complete-event.ts';
import { toRequester } from '../participants/requester.ts';
import { getChatWithPosition } from '../read/get-chat.ts';
import type { Author, EventDraft, NewEvent } from '../records.ts';

/** Input that starting and resuming a chat share. */
export interface ThreadInput {
  groupIds?: number[] | undefined;
  chatProperties?: Properties | undefined;
  threadProperties?: Properties | undefined;
  events: NewEvent[];
  active: boolean;
}

export interface OpenedThread {
  chatId: string;
  threadId: string;
  eventIds: string[];
}

const MAX_ACTIVE_CHATS = 50;

/** Locks the customer's row, so that concurrent starts are counted one after the other. */
export const assertChatLimit = async (tx: Transaction<OrganizationScope>, customerId: string): Promise<void> => {
  await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().executeTakeFirstOrThrow();
  const { open } = await tx
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow();
  if (open >= MAX_ACTIVE_CHATS) throw new DomainError('limit_reached', 'Resource limit reached');
};

/** Returns the requested groups, or group 0 if there are none. */
export const resolveGroups = async (tx: OrganizationScope, requested: number[] | undefined): Promise<number[]> => {
  const groupIds = requested && requested.length > 0 ? [...new Set(requested)] : [ALL_AGENTS];
  await assertGroupsExist(tx, groupIds);
  return groupIds;
};

/** A thread that starts from a greeting refers to it in its properties. */
export const withGreeting = async <Input extends ThreadInput>(
  tx: Transaction<OrganizationScope>,
  customerId: string,
  input: Input,
): Promise<Input> => {
  const greeting = input.active ? await claimGreeting(tx, customerId) : undefined;
  const { threadProperties } = input;
  return greeting
    ? { ...input, threadProperties: { ...threadProperties, lc2: { ...threadProperties?.lc2, ...greeting } } }
    : input;
};

/** Threads are ordered by time, so each must start later than the previous one, even if clocks differ. */
const timeAfter = (now: Date, before: Date | undefined): Date =>
  before && before >= now ? new Date(before.getTime() + 1) : now;

export const newThread = (
  tx: OrganizationScope,
  chatId: string,
  groupIds: number[],
  input: ThreadInput,
  previous?: { id: string; createdAt: Date },
) => {
  const createdAt = timeAfter(tx.now(), previous?.createdAt);
  return {
    id: newShortId(),
    chatId,
    active: input.active,
    groupIds,
    properties: JSON.stringify(input.threadProperties ?? {}),
    previousThreadId: previous?.id ?? null,
    nextThreadId: null,
    createdAt,
    closedAt: input.active ? null : createdAt,
  };
};

const completeEvents = async (scope: OrganizationScope, author: Author, events: NewEvent[]): Promise<EventDraft[]> => {
  const customIds = events.flatMap(({ customId }) => (customId === undefined ? [] : [customId]));
  if (new Set(customIds).size < customIds.length)
    throw new DomainError('validation', '`custom_id` must be unique among the events');
  const drafts: EventDraft[] = [];
  for (const event of events) drafts.push(checkDraft(author, await completeEvent(scope, event)));
  return drafts;
};

interface NewThread {
  chatId: string;
  threadId: string;
  customerId: string;
  groupIds: number[];
  author: Author;
  /** Whether the chat can start while all agents are offline. */
  continuous: boolean;
}

/** Assigns the agent who started the chat; otherwise routes it and returns its position if it is queued. */
const assignAgent = async (
  tx: Transaction<OrganizationScope>,
  started: AssignableChat,
  author: Author,
  continuous: boolean,
): Promise<QueuePosition | undefined> => {
  if (author.kind !== 'agent') return routeNewChat(tx, started, { mustBeOnline: !continuous });
  await setAssignee(tx, started, author.id, 'started');
  return undefined;
};

const KEEP_SESSION_FIELDS = `
update threads t set session_fields = k.session_fields from customers k
where t.organization_id = $1 and t.id = $2 and k.organization_id = $1 and k.id = $3`;

/**
 * Adds the first events and the assignee to a new thread and announces it. The organization lock is taken as late as
 * possible, since all chats of the organization need it.
 */
export const fillThread = async (
  tx: Transaction<OrganizationScope>,
  { chatId, threadId, customerId, groupIds, author, continuous }: NewThread,
  input: ThreadInput,
): Promise<OpenedThread> => {
  const at = tx.now();
  const { organizationId } = tx;
  const drafts = await completeEvents(tx, author, input.events);
  const items = drafts.map((draft) => ({ organizationId, chatId, author, draft, attachToLastThread: true, at }));
  const results = items.length > 0 ? await appendEvents(tx.executor, items) : [];
  await markFilesUsed(tx.executor, fileUses(items, results));
  const eventIds = results.map((result) => {
    if (result.outcome === 'appended') return result.event.id;
    throw new DomainError('validation', '`custom_id` has already been used');
  });
  if (author.kind === 'customer')
    for (const [at, { content }] of drafts.entries())
      if (isTicketForm(content))
        await createTicketFromForm(tx, { eventId: eventIds[at]!, customerId, groupIds, fields: content.fields });
  const started = { id: chatId, lastThreadId: threadId, customerId, groupIds };
  const queue = input.active ? await assignAgent(tx, started, author, continuous) : undefined;
  if (!input.active)
    await tx.executor.query({ text: KEEP_SESSION_FIELDS, values: [organizationId, threadId, customerId] });
  const chat = await getChatWithPosition(tx, { chatId, queue });
  const about = { organizationId, chatId, threadId, customerId, groupIds };
  const requester = await toRequester(tx, chatId);
  tx.emit({ type: 'chat_started', ...about, chat, ...(requester ? { requester } : {}) });
  return { chatId, threadId, eventIds };
};
