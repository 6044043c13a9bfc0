import { afterAll, describe, expect, it } from 'vitest';
import { archiveChat, type Caller, CHAT_ID, expectEmpty, expectError, message, startChat, TIME } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

/** Creation times have millisecond precision; a delay between the chats makes their order certain. */
const threeChats = async (customer: Caller): Promise<string[]> => {
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    ids.push((await startChat(customer)).chatId);
    const before = Date.now();
    while (Date.now() - before < 2) await customer.ok('get_customer');
  }
  return ids;
};

const idsOf = (response: { chats_summary: { id: string }[] }): string[] => response.chats_summary.map(({ id }) => id);

describe('list_chats', () => {
  it('list_chats returns nothing for a new customer', async () => {
    const customer = await organization.customer();
    expect(await customer.ok('list_chats')).toEqual({ chats_summary: [], total_chats: 0 });
  });

  it('list_chats sorts by the creation of the last thread, newest first by default', async () => {
    const customer = await organization.customer();
    const ids = await threeChats(customer);
    expect(idsOf(await customer.ok('list_chats', { sort_order: 'asc' }))).toEqual(ids);
    expect(idsOf(await customer.ok('list_chats', { sort_order: 'desc' }))).toEqual(ids.toReversed());
    await customer.ok('deactivate_chat', { id: ids[0] });
    await customer.ok('resume_chat', { chat: { id: ids[0] } });
    expect(idsOf(await customer.ok('list_chats'))).toEqual([ids[0], ids[2], ids[1]]);
  });

  it('list_chats summarizes each chat', async () => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer, [message('one'), message('two')]);
    const response = await customer.ok('list_chats');
    expect(response).toEqual({ total_chats: 1, chats_summary: [expect.anything()] });
    expect(response.chats_summary[0]).toEqual({
      id: chatId,
      last_thread_id: threadId,
      last_thread_created_at: expect.stringMatching(TIME),
      users: expect.arrayContaining([expect.objectContaining({ id: customer.id, type: 'customer', present: true })]),
      access: { group_ids: [0] },
      properties: expect.any(Object),
      active: true,
      last_event_per_type: expect.objectContaining({
        message: {
          thread_id: threadId,
          thread_created_at: expect.stringMatching(TIME),
          event: expect.objectContaining({ id: `${threadId}_2`, text: 'two' }),
        },
      }),
    });
  });

  it('list_chats shows only the chats of the requesting customer', async () => {
    const [one, other] = [await organization.customer(), await organization.customer()];
    await startChat(one);
    expect(await other.ok('list_chats')).toMatchObject({ chats_summary: [], total_chats: 0 });
  });
});

describe('list_threads', () => {
  it('list_threads returns the three newest threads with their events by default', async () => {
    const customer = await organization.customer();
    const { chatId, threadIds } = await archiveChat(customer, 4, 1);
    const response = await customer.ok('list_threads', { chat_id: chatId });
    expect(response.threads.map(({ id }: { id: string }) => id)).toEqual(threadIds.toReversed().slice(0, 3));
    expect(response).toMatchObject({ found_threads: 4, next_page_id: expect.any(String) });
    expect(response.threads[0]).toMatchObject({
      active: false,
      user_ids: [customer.id],
      properties: expect.any(Object),
      access: { group_ids: [0] },
      previous_thread_id: threadIds[2],
      created_at: expect.stringMatching(TIME),
    });
    expect(response.threads[0].events[0]).toMatchObject({ id: `${threadIds[3]}_1`, text: 'message 1' });
    expect(response.threads[1]).toMatchObject({ next_thread_id: threadIds[3], previous_thread_id: threadIds[1] });
  });

  it('list_threads returns the oldest threads first on request', async () => {
    const customer = await organization.customer();
    const { chatId, threadIds } = await archiveChat(customer, 3);
    const { threads } = await customer.ok('list_threads', { chat_id: chatId, sort_order: 'asc', limit: 2 });
    expect(threads.map(({ id }: { id: string }) => id)).toEqual(threadIds.slice(0, 2));
  });

  it('list_threads returns the latest threads that together have min_events_count events', async () => {
    const customer = await organization.customer();
    // Three messages each, and the system message about the closing.
    const { chatId, threadIds } = await archiveChat(customer, 3, 3);
    for (const [wanted, threads] of [
      [1, 1],
      [4, 1],
      [5, 2],
      [8, 2],
      [9, 3],
      [100, 3],
    ] as const) {
      const response = await customer.ok('list_threads', { chat_id: chatId, min_events_count: wanted });
      expect({ wanted, ids: response.threads.map(({ id }: { id: string }) => id) }).toEqual({
        wanted,
        ids: threadIds.toReversed().slice(0, threads),
      });
    }
  });

  it('list_threads rejects limit together with min_events_count', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    expectError(await customer.call('list_threads', { chat_id: chatId, limit: 3, min_events_count: 3 }), 'validation');
  });

  it('list_threads requires the chat_id of a chat of this customer', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const { chatId } = await startChat(other);
    expectError(await customer.call('list_threads'), 'validation');
    expectError(await customer.call('list_threads', { chat_id: chatId }), 'not_found');
    expectError(await customer.call('list_threads', { chat_id: 'NOSUCHCHAT' }), 'not_found');
  });
});

describe('get_chat', () => {
  it('get_chat returns the latest thread by default', async () => {
    const customer = await organization.customer();
    const { chatId, threadIds } = await archiveChat(customer, 2, 1);
    expect(await customer.ok('get_chat', { chat_id: chatId })).toMatchObject({
      id: chatId,
      thread: { id: threadIds[1], active: false, events: [{ text: 'message 1' }, { type: 'system_message' }] },
      users: [{ id: customer.id, type: 'customer' }],
      access: { group_ids: [0] },
      properties: expect.any(Object),
    });
    const first = await customer.ok('get_chat', { chat_id: chatId, thread_id: threadIds[0] });
    expect(first.thread.id).toBe(threadIds[0]);
  });

  it('get_chat requires a chat and a thread of this customer', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const [own, foreign] = [await startChat(customer), await startChat(other)];
    expectError(await customer.call('get_chat'), 'validation');
    expectError(await customer.call('get_chat', { chat_id: foreign.chatId }), 'not_found');
    expectError(await customer.call('get_chat', { chat_id: own.chatId, thread_id: foreign.threadId }), 'not_found');
  });
});

describe('start_chat', () => {
  it('start_chat returns the ids of the chat and its thread, and event ids only with initial events', async () => {
    const customer = await organization.customer();
    const plain = await customer.ok('start_chat', { continuous: true });
    expect(plain).toEqual({ chat_id: expect.stringMatching(CHAT_ID), thread_id: expect.stringMatching(CHAT_ID) });
    const full = await customer.ok('start_chat', {
      continuous: true,
      chat: { thread: { events: [message('one'), message('two')] } },
    });
    expect(full.event_ids).toEqual([`${full.thread_id}_1`, `${full.thread_id}_2`]);
  });

  it('start_chat accepts access and the properties of the chat and of the thread', async () => {
    const customer = await organization.customer();
    const { chat_id } = await customer.ok('start_chat', {
      continuous: true,
      chat: {
        access: { group_ids: [0] },
        properties: { rating: { score: 1 } },
        thread: { properties: { rating: { score: 0 } } },
      },
    });
    expect(await customer.ok('get_chat', { chat_id })).toMatchObject({
      access: { group_ids: [0] },
      properties: { rating: { score: 1 } },
      thread: { properties: { rating: { score: 0 } } },
    });
  });

  it('start_chat rejects a form as an initial event', async () => {
    const customer = await organization.customer();
    const events = [{ type: 'form', form_id: '1', fields: [] }];
    expectError(await customer.call('start_chat', { continuous: true, chat: { thread: { events } } }), 'validation');
    expect(await customer.ok('list_chats')).toMatchObject({ total_chats: 0 });
  });

  it('start_chat rejects unknown groups', async () => {
    const customer = await organization.customer();
    const chat = { access: { group_ids: [987] } };
    expectError(await customer.call('start_chat', { continuous: true, chat }), 'group_not_found');
  });

  it('start_chat ignores additional fields that known clients send', async () => {
    const customer = await organization.customer();
    const noise = { created_at: '0001-01-01T00:00:00Z', author_id: '', id: '', properties: null, postback: null };
    const response = await customer.ok('start_chat', {
      continuous: true,
      chat: { id: '', access: null, properties: null, thread: { events: [{ ...message('hello'), ...noise }] } },
    });
    expect(response.event_ids).toHaveLength(1);
  });

  itWithDatabase(target)('start_chat is possible when an agent is online', async () => {
    const staffed = await newOrganization(target, { online: true });
    const customer = await staffed.customer();
    const { chat_id } = await customer.ok('start_chat');
    const { users } = await customer.ok('get_chat', { chat_id });
    const agent = users.find(({ type }: { type: string }) => type === 'agent');
    expect(agent).toMatchObject({
      name: 'Olga',
      present: true,
      avatar: expect.any(String),
      job_title: expect.any(String),
    });
    expect(JSON.stringify(users)).not.toContain(staffed.login);
  });
});

describe('resume_chat', () => {
  it('resume_chat returns the new thread, and event ids only with initial events', async () => {
    const customer = await organization.customer();
    const { chatId } = await archiveChat(customer);
    expect(await customer.ok('resume_chat', { chat: { id: chatId } })).toEqual({
      thread_id: expect.stringMatching(CHAT_ID),
    });
    await customer.ok('deactivate_chat', { id: chatId });
    const again = await customer.ok('resume_chat', { chat: { id: chatId, thread: { events: [message('back')] } } });
    expect(again).toEqual({ thread_id: expect.any(String), event_ids: [`${again.thread_id}_1`] });
  });

  it('resume_chat requires the id of a chat of this customer', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const { chatId } = await archiveChat(other);
    expectError(await customer.call('resume_chat'), 'validation');
    expectError(await customer.call('resume_chat', { chat: {} }), 'validation');
    expectError(await customer.call('resume_chat', { chat: { id: chatId } }), 'not_found');
  });
});

describe('deactivate_chat', () => {
  it('deactivate_chat returns an empty object', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    expectEmpty(await customer.call('deactivate_chat', { id: chatId }));
  });

  it('deactivate_chat requires the id of a chat of this customer', async () => {
    const [customer, other] = [await organization.customer(), await organization.customer()];
    const { chatId } = await startChat(other);
    expectError(await customer.call('deactivate_chat'), 'validation');
    expectError(await customer.call('deactivate_chat', { id: chatId }), 'not_found');
  });
});
