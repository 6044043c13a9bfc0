import { sql } from 'kysely';
import { type ChatAuthor, requireChatAuthor } from '../../../access.ts';
import { DomainError } from '../../../errors.ts';
import { lockOrganization } from '../../../organization-lock.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { withoutDeletedGroups } from '../../groups/online.ts';
import { checkInitialProperties } from '../../properties/check-initial.ts';
import { mergeWithinLimit } from '../../properties/check-properties.ts';
import { getChatRow } from '../read/find-chat.ts';
import {
  assertChatLimit,
  fillThread,
  newThread,
  type OpenedThread,
  resolveGroups,
  type ThreadInput,
  withGreeting,
} from './open-thread.ts';

export interface ResumeChatInput extends ThreadInput {
  chatId: string;
  /** When absent, the chat keeps its mode. */
  continuous?: boolean | undefined;
}

/** The customer of the chat: the caller, or the customer whom an agent writes to. */
const customerOf = async (tx: OrganizationScope, { kind, id }: ChatAuthor, chatId: string): Promise<string> =>
  kind === 'customer' ? id : (await getChatRow(tx, chatId)).customerId;

/**
 * Starts a new thread in an archived chat. An agent who does so is assigned, and the groups stay the same unless others
 * are given.
 */
export const resumeChat = async (scope: OrganizationScope, input: ResumeChatInput): Promise<OpenedThread> => {
  const author = requireChatAuthor(scope.actor);
  const isCustomer = author.kind === 'customer';
  checkInitialProperties(await scope.services.support.properties.load(scope.organizationId), scope.actor, input);
  return scope.transaction(async (tx) => {
    const customerId = await customerOf(tx, author, input.chatId);
    if (input.active) await assertChatLimit(tx, customerId);
    if (input.active) await lockOrganization(tx);
    const chat = await getChatRow(tx, input.chatId, true);
    if (chat.active) throw new DomainError('chat_active', 'Chat is already active');
    const continuous = input.continuous ?? chat.continuous;
    const before = isCustomer ? undefined : await withoutDeletedGroups(tx, chat.groupIds);
    const groupIds = await resolveGroups(tx, input.groupIds ?? before);
    const opened = isCustomer ? await withGreeting(tx, customerId, input) : input;
    const last = { id: chat.lastThreadId, createdAt: chat.lastThreadCreatedAt };
    const thread = newThread(tx, chat.id, groupIds, opened, last);
    await tx.update('threads').where('id', '=', last.id).set({ nextThreadId: thread.id }).execute();
    await tx.insert('threads', thread).execute();
    await tx
      .update('chats')
      .where('id', '=', chat.id)
      .set({
        active: input.active,
        continuous,
        groupIds,
        properties: JSON.stringify(mergeWithinLimit(chat.properties, input.chatProperties ?? {}).properties),
        lastThreadId: thread.id,
        lastThreadCreatedAt: thread.createdAt,
        eventCount: 0,
      })
      .execute();
    await tx
      .update('chatUsers')
      .where('chatId', '=', chat.id)
      .where('kind', '=', 'customer')
      .set({ present: input.active, seenUpTo: sql`greatest(seen_up_to, ${thread.createdAt})` })
      .execute();
    return fillThread(tx, { chatId: chat.id, threadId: thread.id, customerId, groupIds, author, continuous }, input);
  });
};
