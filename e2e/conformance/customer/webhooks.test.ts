import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { type Json, message, startChat } from './call.ts';
import { newOrganization, type Organization, openTarget } from './index.ts';
import { startReceiver } from './receiver.ts';

const SECRET = 'a secret key';

/** Deliveries must reach this process, so the test starts its own server. */
describe.skipIf(process.env.PARLEY_URL)('webhooks', async () => {
  if (process.env.PARLEY_URL) return;
  const target = await openTarget();
  afterAll(target.close);

  const register = async ({ id, owner }: Organization, url: string, actions: string[]) => {
    for (const action of actions) {
      const response = await fetch(`${target.url}/v3.5/configuration/action/register_webhook?organization_id=${id}`, {
        method: 'POST',
        headers: { authorization: owner, 'content-type': 'application/json' },
        body: JSON.stringify({ url, action, secret_key: SECRET, owner_client_id: 'client', type: 'license' }),
      });
      expect({ action, status: response.status, body: await response.json() }).toMatchObject({
        action,
        status: 200,
        body: { id: expect.any(String) },
      });
    }
  };

  const setUp = async (...actions: string[]) => {
    const organization = await newOrganization(target);
    const receiver = await startReceiver();
    afterAll(receiver.close);
    await register(organization, receiver.url, actions);
    return { organization, receiver, customer: await organization.customer() };
  };

  const card = {
    type: 'rich_message',
    template_id: 'cards',
    elements: [{ title: 'x', buttons: [{ text: 'Buy', postback_id: 'buy', user_ids: [] }] }],
  };

  it('a webhook contains its payload and a verifiable signature', async () => {
    const { customer, organization, receiver } = await setUp('incoming_chat');
    const { chatId, threadId } = await startChat(customer, [message('hello')]);
    const { body, text, headers } = await receiver.next();
    expect(body).toMatchObject({
      webhook_id: expect.any(String),
      secret_key: SECRET,
      action: 'incoming_chat',
      organization_id: organization.id,
      payload: { requester_id: customer.id, chat: { id: chatId, thread: { id: threadId, active: true } } },
      additional_data: expect.any(Object),
    });
    const signed = `${headers['x-parley-timestamp']}.${text}`;
    const signature = createHmac('sha256', SECRET).update(signed).digest('hex');
    expect(headers['x-parley-signature']).toBe(`sha256=${signature}`);
    expect(headers['x-parley-delivery']).toMatch(/./);
  });

  it('resume_chat sends incoming_chat', async () => {
    const { customer, receiver } = await setUp('incoming_chat');
    const { chatId: id } = await startChat(customer);
    await customer.ok('deactivate_chat', { id });
    const { thread_id } = await customer.ok('resume_chat', { chat: { id } });
    await receiver.next();
    expect((await receiver.next()).body.payload.chat).toMatchObject({ id, thread: { id: thread_id } });
  });

  it('deactivate_chat sends incoming_event and chat_deactivated', async () => {
    const { customer, receiver } = await setUp('incoming_event', 'chat_deactivated');
    const { chatId: id, threadId } = await startChat(customer);
    await customer.ok('deactivate_chat', { id });
    const bodies = [(await receiver.next()).body, (await receiver.next()).body];
    const byAction = Object.fromEntries(bodies.map(({ action, payload }: Json) => [action, payload]));
    expect(byAction).toMatchObject({
      incoming_event: { chat_id: id, event: { system_message_type: 'manual_archived_customer' } },
      chat_deactivated: { chat_id: id, thread_id: threadId, user_id: customer.id },
    });
  });

  it('upload_file and send_event send incoming_event', async () => {
    const { customer, receiver } = await setUp('incoming_event');
    const { chatId: chat_id, threadId: thread_id } = await startChat(customer);
    const { url } = (await customer.upload('hello')).body;
    await customer.ok('send_event', { chat_id, event: { type: 'file', url } });
    expect((await receiver.next()).body.payload).toMatchObject({
      chat_id,
      thread_id,
      event: { type: 'file', url: expect.any(String), name: 'note.txt', author_id: customer.id },
    });
  });

  it('send_rich_message_postback sends incoming_rich_message_postback only for active threads', async () => {
    const { customer, receiver } = await setUp('incoming_rich_message_postback', 'incoming_chat');
    const { chatId: chat_id, threadId: thread_id } = await startChat(customer, [card]);
    const press = () =>
      customer.ok('send_rich_message_postback', {
        chat_id,
        thread_id,
        event_id: `${thread_id}_1`,
        postback: { id: 'buy', toggled: true },
      });
    expect((await receiver.next()).body.action).toBe('incoming_chat');
    await press();
    expect((await receiver.next()).body).toMatchObject({
      action: 'incoming_rich_message_postback',
      payload: { user_id: customer.id, chat_id, thread_id, postback: { id: 'buy', toggled: true } },
    });
    await customer.ok('deactivate_chat', { id: chat_id });
    await press();
    await customer.ok('resume_chat', { chat: { id: chat_id } });
    expect((await receiver.next()).body.action).toBe('incoming_chat');
  });

  it('mark_events_as_seen sends events_marked_as_seen', async () => {
    const { customer, receiver } = await setUp('events_marked_as_seen');
    const { chatId: chat_id } = await startChat(customer, [message('hello')]);
    const seen_up_to = new Date(Date.now() + 60_000).toISOString();
    await customer.ok('mark_events_as_seen', { chat_id, seen_up_to });
    expect((await receiver.next()).body.payload).toMatchObject({
      user_id: customer.id,
      chat_id,
      seen_up_to: expect.any(String),
    });
  });

  it.each(['chat', 'thread', 'event'])('property changes of a %s send webhooks', async (what) => {
    const { customer, receiver } = await setUp(`${what}_properties_updated`, `${what}_properties_deleted`);
    const { chatId, threadId } = await startChat(customer, [message('hello')]);
    const inThread = { chat_id: chatId, thread_id: threadId };
    const ids = { chat: { id: chatId }, thread: inThread, event: { ...inThread, event_id: `${threadId}_1` } }[what]!;
    await customer.ok(`update_${what}_properties`, { ...ids, properties: { rating: { score: 1 } } });
    await customer.ok(`delete_${what}_properties`, { ...ids, properties: { rating: ['score'] } });
    expect((await receiver.next()).body).toMatchObject({
      action: `${what}_properties_updated`,
      payload: { chat_id: chatId, properties: { rating: { score: 1 } } },
    });
    expect((await receiver.next()).body).toMatchObject({
      action: `${what}_properties_deleted`,
      payload: { chat_id: chatId, properties: { rating: ['score'] } },
    });
  });

  it('session field changes send one webhook each, only while a chat is active', async () => {
    const { customer, receiver } = await setUp('customer_session_fields_updated');
    const set = (value: string) => customer.ok('set_customer_session_fields', { session_fields: [{ cart: value }] });
    await set('without a chat');
    const chats = [await startChat(customer), await startChat(customer)];
    await set('3');
    const payloads = [(await receiver.next()).body.payload, (await receiver.next()).body.payload];
    for (const { chatId: chat_id, threadId: thread_id } of chats) {
      expect(payloads).toContainEqual(
        expect.objectContaining({
          id: customer.id,
          active_chat: { chat_id, thread_id },
          session_fields: [{ cart: '3' }],
        }),
      );
    }
  });
});
