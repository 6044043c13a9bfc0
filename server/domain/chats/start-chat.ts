import { requireCustomer } from '../access.ts';
import { newShortId } from '../ids.ts';
import { checkInitialProperties } from '../properties/check-initial.ts';
import type { OrganizationScope } from '../scope.ts';
import {
  assertRoomForChat,
  beginThread,
  newThread,
  type OpenedThread,
  resolveGroups,
  type ThreadInput,
  withGreeting,
} from './open-thread.ts';

export interface StartChatInput extends ThreadInput {
  continuous: boolean;
}

export const startChat = async (scope: OrganizationScope, input: StartChatInput): Promise<OpenedThread> => {
  const customer = requireCustomer(scope.actor);
  checkInitialProperties(await scope.services.properties.load(scope.organizationId), customer, input);
  return scope.transaction(async (tx) => {
    if (input.active) await assertRoomForChat(tx, customer.id);
    const groupIds = await resolveGroups(tx, input.groupIds, input.active && !input.continuous);
    const chatId = newShortId();
    const thread = newThread(tx, chatId, groupIds, await withGreeting(tx, customer.id, input));
    const { createdAt } = thread;
    await tx
      .insert('chats', {
        id: chatId,
        customerId: customer.id,
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
    await tx
      .insert('chatUsers', {
        chatId,
        kind: 'customer',
        userId: customer.id,
        present: input.active,
        seenUpTo: createdAt,
        joinedAt: createdAt,
      })
      .execute();
    return beginThread(tx, { chatId, threadId: thread.id, customerId: customer.id, groupIds, author: customer }, input);
  });
};
