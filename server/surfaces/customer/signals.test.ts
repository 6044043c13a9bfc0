import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgentActor } from '#server/domain/access.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { updateProperties } from '#server/domain/support/properties/change-properties.ts';
import { buildChat, customerScope, richDraft } from '#server/testing/builders/chats.ts';
import {
  buildCustomer,
  buildOrganization,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildProperty } from '#server/testing/builders/properties.ts';
import { snapshotAll } from '#server/testing/builders/snapshots.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;
let chat_id: string;
let thread_id: string;
let event_id: string;
let own: SocketClient;
let agent: SocketClient;

beforeAll(async () => {
  test = await startListeningApp();
  organization = await buildOrganization(test);
  await buildProperty(organization, 'shop', 'note', { customer: ['read'] });
  await buildProperty(organization, 'shop', 'secret', { customer: [] });
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  customer = await buildCustomer(organization);
  const opened = await buildChat(organization, customer, { texts: ['Hello'] });
  ({ chatId: chat_id, threadId: thread_id } = opened);
  const rich = { chatId: chat_id, event: richDraft('yes'), attachToLastThread: false };
  event_id = (await sendEvent(customerScope(organization, customer), rich)).eventId;
  own = await test.logIn(organization, customer);
  agent = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
  await agent.request('login', { token: `Bearer ${organization.owner.apiKey}` });
  return async () => {
    await own.close();
    await agent.close();
  };
});

const asOwner = () => {
  const actor: AgentActor = { kind: 'agent', id: organization.owner.login, permission: 'owner', groupIds: [] };
  return openOrganizationScope(test.context.services, actor, organization.id);
};

/** Asserts that no unexpected push arrived. */
const expectQuiet = async (...clients: SocketClient[]) => {
  for (const client of clients) {
    await client.request('ping');
    expect(client.unread()).toEqual([]);
  }
};

describe('over a socket', () => {
  it('properties are set and deleted, and both sides get the change', async () => {
    const rated = { chat_id, thread_id, properties: { rating: { score: 1 } } };
    expect(await own.request('update_thread_properties', rated)).toMatchObject({ success: true, payload: {} });
    for (const client of [own, agent]) {
      expect(await client.nextPush()).toMatchObject({ action: 'thread_properties_updated', payload: rated });
      expect((await client.nextPush()).payload.event).toMatchObject({ system_message_type: 'rating.chat_rated' });
    }
    await own.request('update_thread_properties', rated);
    await expectQuiet(own, agent);
    const canceled = { chat_id, thread_id, properties: { rating: ['score'] } };
    await own.request('delete_thread_properties', { ...canceled, properties: { rating: ['score', 'comment'] } });
    for (const client of [own, agent]) {
      expect(await client.nextPush()).toMatchObject({ action: 'thread_properties_deleted', payload: canceled });
      await client.nextPush();
    }
    await own.request('update_event_properties', { ...rated, event_id });
    await own.request('update_chat_properties', { id: chat_id, properties: { rating: { comment: 'Fine' } } });
    for (const client of [own, agent]) {
      const payload = { ...rated, event_id };
      expect(await client.nextPush()).toMatchObject({ action: 'event_properties_updated', payload });
      expect(await client.nextPush()).toMatchObject({
        action: 'chat_properties_updated',
        payload: { chat_id, properties: { rating: { comment: 'Fine' } } },
      });
      await client.nextPush();
    }
    await expectQuiet(own, agent);
  });

  it('customers get only properties that they may read', async () => {
    const target = { of: 'chat', chatId: chat_id } as const;
    await updateProperties(asOwner(), target, { shop: { note: 'n', secret: 's' } });
    expect((await own.nextPush()).payload.properties).toEqual({ shop: { note: 'n' } });
    expect((await agent.nextPush()).payload.properties).toEqual({ shop: { note: 'n', secret: 's' } });
    await updateProperties(asOwner(), target, { shop: { secret: 'another' } });
    expect((await agent.nextPush()).payload.properties).toEqual({ shop: { secret: 'another' } });
    await expectQuiet(own);
  });

  it('the properties of the account can be read', async () => {
    expect(await own.request('list_license_properties')).toMatchObject({ success: true, payload: {} });
    expect(await own.request('list_group_properties', { id: 0 })).toMatchObject({ success: true, payload: {} });
    expect(await own.request('list_group_properties', { id: 99 })).toMatchObject({
      success: false,
      payload: { error: { type: 'group_not_found' } },
    });
  });

  it('each toggle of a button is pushed while the thread is open', async () => {
    const postback = { id: 'yes', toggled: true };
    const where = { chat_id, thread_id, event_id };
    for (let times = 0; times < 2; times++) {
      await own.request('send_rich_message_postback', { ...where, postback });
      for (const client of [own, agent])
        expect(await client.nextPush()).toMatchObject({
          action: 'incoming_rich_message_postback',
          payload: { user_id: customer.id, ...where, postback },
        });
    }
    await own.request('deactivate_chat', { id: chat_id });
    for (const client of [own, agent]) for (let pushes = 0; pushes < 2; pushes++) await client.nextPush();
    expect(await own.request('send_rich_message_postback', { ...where, postback })).toMatchObject({ success: true });
    await expectQuiet(own, agent);
  });

  it('seen events are pushed only when the time advances', async () => {
    test.clock.advance(10_000);
    const seen_up_to = test.clock.now().toISOString().replace('Z', '000Z');
    await own.request('mark_events_as_seen', { chat_id, seen_up_to });
    for (const client of [own, agent])
      expect(await client.nextPush()).toMatchObject({
        action: 'events_marked_as_seen',
        payload: { user_id: customer.id, chat_id, seen_up_to },
      });
    await own.request('mark_events_as_seen', { chat_id, seen_up_to });
    await expectQuiet(own, agent);
  });
});

describe('send_sneak_peek', () => {
  const peek = (sneak_peek_text: unknown, as = customer) =>
    callAs(test, organization, as)('send_sneak_peek', { chat_id, sneak_peek_text });

  it('shows agents the typed text, and is not stored', async () => {
    const before = await snapshotAll(test);
    expect(await peek('I wonder whe')).toMatchObject({ status: 200, body: {} });
    expect((await peek('')).status).toBe(200);
    for (const text of ['I wonder whe', ''])
      expect(await agent.nextPush()).toMatchObject({
        action: 'incoming_sneak_peek',
        payload: { chat_id, thread_id, sneak_peek: { author_id: customer.id, text } },
      });
    await expectQuiet(own);
    expect(await snapshotAll(test)).toEqual(before);
  });

  it('accepts at most 16 KB of text', async () => {
    expect((await peek('x'.repeat(16_384))).status).toBe(200);
    expect(await peek('x'.repeat(16_385))).toMatchObject(errorResponse(400, 'validation'));
    expect(await peek('ä'.repeat(8193))).toMatchObject(errorResponse(400, 'validation'));
    expect(await peek(undefined)).toMatchObject(errorResponse(400, 'validation'));
  });

  it('requires an open chat of the customer', async () => {
    expect(await peek('x', await buildCustomer(organization))).toMatchObject(errorResponse(404, 'not_found'));
    await own.request('deactivate_chat', { id: chat_id });
    expect(await peek('x')).toMatchObject(errorResponse(422, 'chat_inactive'));
  });
});
