import type { Properties } from '#server/storage/tables/chats.ts';
import { ALL_AGENTS } from '../../../all-agents-group.ts';
import { DomainError } from '../../../errors.ts';
import { newShortId } from '../../../ids.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { markFilesUsed } from '../../files/mark-used.ts';
import { claimGreeting } from '../../greetings/shown-greeting.ts';
import { assertGroupsExist } from '../../groups/online.ts';
import type { QueuePlace } from '../../routing/records.ts';
import { routeArrival } from '../../routing/route-arrival.ts';
import { type AssignableChat, assignTo } from '../../routing/set-assignee.ts';
import { createTicketFromForm, isTicketForm } from '../../tickets/work/from-form.ts';
import { appendEvents, fileUses } from '../append/append-statement.ts';
import { checkDraft } from '../append/check-draft.ts';
import { completeEvent } from '../append/complete-event.ts';
import { requesterIn } from '../participants/requester.ts';
import { getRoutedChat } from '../read/get-chat.ts';
import type { Author, EventDraft, GivenEvent } from '../records.ts';

/** What start and resume have in common. */
export interface ThreadInput {
  groupIds?: number[] | undefined;
  chatProperties?: Properties | undefined;
  threadProperties?: Properties | undefined;
  events: GivenEvent[];
  active: boolean;
}

export interface OpenedThread {
  chatId: string;
  threadId: string;
  eventIds: string[];
}

const MAX_ACTIVE_CHATS = 50;

/** Holds the customer's row, so that two starts at once are counted one after the other. */
export const assertRoomForChat = async (tx: Transaction<OrganizationScope>, customerId: string): Promise<void> => {
  await tx.from('customers').where('id', '=', customerId).select('id').forNoKeyUpdate().executeTakeFirstOrThrow();
  const { open } = await tx
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow();
  if (open >= MAX_ACTIVE_CHATS) throw new DomainError('limit_reached', 'Resource limit reached');
};

/** Which groups the chat is for. */
export const resolveGroups = async (tx: OrganizationScope, asked: number[] | undefined): Promise<number[]> => {
  const groupIds = asked && asked.length > 0 ? [...new Set(asked)] : [ALL_AGENTS];
  await assertGroupsExist(tx, groupIds);
  return groupIds;
};

/** A thread that begins because of a greeting names it. */
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

/** Threads are listed by their time, so each begins later than the one before, whatever the clocks say. */
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

const completeEvents = async (
  scope: OrganizationScope,
  author: Author,
  events: GivenEvent[],
): Promise<EventDraft[]> => {
  const customIds = events.flatMap(({ customId }) => (customId === undefined ? [] : [customId]));
  if (new Set(customIds).size < customIds.length) throw new DomainError('validation', '`custom_id` is used twice');
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
  /** It can wait until somebody is there. */
  continuous: boolean;
}

/** Whoever of the agents begins a chat answers it; else one is looked for, or the chat waits and has a place in the queue. */
const findAgent = async (
  tx: Transaction<OrganizationScope>,
  begun: AssignableChat,
  author: Author,
  continuous: boolean,
): Promise<QueuePlace | undefined> => {
  if (author.kind !== 'agent') return routeArrival(tx, begun, { mustBeOnline: !continuous });
  await assignTo(tx, begun, author.id, 'started');
  return undefined;
};

/**
 * Fills a thread that was just written: its first events, its agent, and the word that it began. The turn comes as late as
 * it can, since all of the organization's chats take it.
 */
export const beginThread = async (
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
    throw new DomainError('validation', '`custom_id` was used before');
  });
  if (author.kind === 'customer')
    for (const [at, { content }] of drafts.entries())
      if (isTicketForm(content))
        await createTicketFromForm(tx, { eventId: eventIds[at]!, groupIds, fields: content.fields });
  const begun = { id: chatId, lastThreadId: threadId, customerId, groupIds };
  const queue = input.active ? await findAgent(tx, begun, author, continuous) : undefined;
  const chat = await getRoutedChat(tx, { chatId, queue });
  const about = { organizationId, chatId, threadId, customerId, groupIds };
  const requester = await requesterIn(tx, chatId);
  tx.emit({ type: 'chat_started', ...about, chat, ...(requester ? { requester } : {}) });
  return { chatId, threadId, eventIds };
};
