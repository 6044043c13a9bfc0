import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { announce } from '#server/domain/scope.ts';
import { getChat } from '#server/domain/support/chats/read/get-chat.ts';
import { buildChat, messageDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;

beforeAll(async () => {
  test = await startListeningApp();
  organization = await buildOrganization(test);
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await buildCustomer(organization);
});

const sayAsAgent = (chatId: string, text: string, visibility: 'all' | 'agents' = 'all') =>
  test.context.services.support.appendLane.append({
    organizationId: organization.id,
    chatId,
    author: { kind: 'agent', id: organization.owner.login },
    draft: { ...messageDraft(text), visibility },
    attachToLastThread: false,
    at: test.clock.now(),
  });

describe('pushes to customers', () => {
  it('contain only their own chats, and nothing that is visible only to agents', async () => {
    const stranger = await buildCustomer(organization);
    const [client, other] = [await test.logIn(organization, customer), await test.logIn(organization, stranger)];
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    expect((await client.nextPush()).action).toBe('incoming_chat');
    await sayAsAgent(chatId, 'A note', 'agents');
    await sayAsAgent(chatId, 'An answer');
    expect((await client.nextPush()).payload.event).toMatchObject({ text: 'An answer', visibility: 'all' });
    for (const socket of [client, other]) {
      expect(await socket.request('ping')).toMatchObject({ success: true });
      expect(socket.unread()).toEqual([]);
      await socket.close();
    }
  });

  it('omit notes when a chat is pushed later', async () => {
    const client = await test.logIn(organization, customer);
    const { chatId, threadId } = await buildChat(organization, customer, { texts: ['Hello'] });
    await client.nextPush();
    await sayAsAgent(chatId, 'A note', 'agents');
    const chat = await getChat(organization.scope, { chatId });
    const about = { organizationId: organization.id, chatId, customerId: customer.id, groupIds: [0] };
    announce(organization.scope, { type: 'chat_started', ...about, threadId: `${threadId}x`, chat });
    const { thread } = (await client.nextPush()).payload.chat;
    expect(thread.events.map(({ text }: { text: string }) => text)).toEqual(['Hello']);
    await client.close();
  });

  it('are limited to those requested at login; unknown names are ignored', async () => {
    const pushes = { '3.5': ['incoming_event', 'no_such_push'], '3.4': ['incoming_chat'] };
    const client = await test.logIn(organization, customer, { pushes });
    const { chatId } = await buildChat(organization, customer);
    await sayAsAgent(chatId, 'Hi');
    expect(await client.nextPush()).toMatchObject({ action: 'incoming_event', payload: { event: { text: 'Hi' } } });
    const none = await test.logIn(organization, customer, { pushes: {} });
    await sayAsAgent(chatId, 'Still there?');
    await client.nextPush();
    expect(await none.request('ping')).toMatchObject({ success: true });
    expect(none.unread()).toEqual([]);
    for (const socket of [client, none]) await socket.close();
  });
});
