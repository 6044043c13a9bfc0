import { afterAll, expect, it } from 'vitest';
import { CHAT_ID, message, startChat, TIME, UUID } from './call.ts';
import { newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const QUEUE = {
  position: expect.any(Number),
  wait_time: expect.any(Number),
  queued_at: expect.stringMatching(TIME),
};

it('a chat has an id, users, access, properties and a thread, and no internal fields', async () => {
  const customer = await organization.customer();
  const { chatId } = await startChat(customer, [message('hello', { custom_id: 'mine' })]);
  const chat = await customer.ok('get_chat', { chat_id: chatId });
  expect(chat).toEqual({
    id: expect.stringMatching(CHAT_ID),
    users: [
      {
        id: expect.stringMatching(UUID),
        type: 'customer',
        present: true,
        events_seen_up_to: expect.stringMatching(TIME),
        ...(chat.users[0].session_fields ? { session_fields: [] } : {}),
      },
    ],
    access: { group_ids: [0] },
    properties: expect.any(Object),
    thread: {
      id: expect.stringMatching(CHAT_ID),
      active: true,
      user_ids: [customer.id],
      events: [
        {
          id: `${chat.thread.id}_1`,
          custom_id: 'mine',
          created_at: expect.stringMatching(TIME),
          type: 'message',
          author_id: customer.id,
          text: 'hello',
          visibility: 'all',
          ...(chat.thread.events[0].properties ? { properties: expect.any(Object) } : {}),
        },
      ],
      properties: expect.any(Object),
      access: { group_ids: [0] },
      created_at: expect.stringMatching(TIME),
      // Present only while the chat is unanswered.
      ...(chat.thread.queue ? { queue: QUEUE } : {}),
    },
  });
});

it('a system message has no author', async () => {
  const customer = await organization.customer();
  const { chatId } = await startChat(customer);
  await customer.ok('deactivate_chat', { id: chatId });
  const { thread } = await customer.ok('get_chat', { chat_id: chatId });
  expect(thread.events).toEqual([
    expect.objectContaining({
      type: 'system_message',
      system_message_type: 'manual_archived_customer',
      text: expect.stringMatching(/./),
    }),
  ]);
  expect(thread.events[0]).not.toHaveProperty('author_id');
});

it('customers see agents without their login', async () => {
  const customer = await organization.customer();
  const { chatId } = await startChat(customer);
  const sent = await fetch(`${target.url}/v3.5/agent/action/send_event?organization_id=${organization.id}`, {
    method: 'POST',
    headers: { authorization: organization.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chatId, event: message('How can I help?') }),
  });
  expect(sent.status).toBe(200);
  const hidden = await fetch(`${target.url}/v3.5/agent/action/send_event?organization_id=${organization.id}`, {
    method: 'POST',
    headers: { authorization: organization.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chatId, event: message('a note', { visibility: 'agents' }) }),
  });
  expect(hidden.status).toBe(200);
  const chat = await customer.ok('get_chat', { chat_id: chatId });
  const said = chat.thread.events.filter(({ type }: { type: string }) => type === 'message');
  expect(said).toMatchObject([{ text: 'How can I help?', author_id: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
  const everything = JSON.stringify([
    chat,
    await customer.ok('list_chats'),
    await customer.ok('list_threads', { chat_id: chatId }),
  ]);
  expect(everything).not.toContain(organization.login);
  expect(everything).not.toContain('a note');
});
