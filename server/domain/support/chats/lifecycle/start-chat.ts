import { requireCustomer } from '../../../access.ts';
import { newShortId } from '../../../ids.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { checkInitialProperties } from '../../properties/check-initial.ts';
import type { Author } from '../records.ts';
import {
  assertChatLimit,
  fillThread,
  newThread,
  type OpenedThread,
  resolveGroups,
  type ThreadInput,
  withGreeting,
} from './open-thread.ts';

export interface StartChatInput extends ThreadInput {
  continuous: boolean;
}

interface NewChat {
  customerId: string;
  groupIds: number[];
  author: Author;
  /** Agents who are in the chat from the start besides the assignee. */
  agentIds?: string[];
}

/** Inserts a chat with its first thread. */
export const insertChat = async (
  tx: Transaction<OrganizationScope>,
  { customerId, groupIds, author, agentIds = [] }: NewChat,
  input: StartChatInput,
): Promise<OpenedThread> => {
  const chatId = newShortId();
  const thread = newThread(tx, chatId, groupIds, input);
  const { createdAt } = thread;
  await tx
    .insert('chats', {
      id: chatId,
      customerId,
      groupIds,
      properties: JSON.stringify(input.chatProperties ?? {}),
      active: input.active,
      continuous: input.continuous,
      lastThreadId: thread.id,
      lastThreadCreatedAt: createdAt,
      lastEventAt: null,
      createdAt,
    })
    .execute();
  await tx.insert('threads', thread).execute();
  const joining = { chatId, present: input.active, joinedAt: createdAt };
  await tx
    .insert('chatUsers', [
      { ...joining, kind: 'customer', userId: customerId, seenUpTo: createdAt },
      ...agentIds.map((userId) => ({ ...joining, kind: 'agent' as const, userId, seenUpTo: null })),
    ])
    .execute();
  if (agentIds.length > 0) {
    const working = agentIds.map((agentId) => ({ threadId: thread.id, agentId }));
    await tx.insert('threadAgents', working).execute();
  }
  const opened = { chatId, threadId: thread.id, customerId, groupIds, author, continuous: input.continuous };
  return fillThread(tx, opened, input);
};

export const startChat = async (scope: OrganizationScope, input: StartChatInput): Promise<OpenedThread> => {
  const customer = requireCustomer(scope.actor);
  checkInitialProperties(await scope.services.support.properties.load(scope.organizationId), customer, input);
  return scope.transaction(async (tx) => {
    if (input.active) await assertChatLimit(tx, customer.id);
    const groupIds = await resolveGroups(tx, input.groupIds);
    return insertChat(
      tx,
      { customerId: customer.id, groupIds, author: customer },
      await withGreeting(tx, customer.id, input),
    );
  });
};
