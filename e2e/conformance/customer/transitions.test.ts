import { afterAll, describe, expect, it } from 'vitest';
import { archiveChat, type Caller, expectError, message, startChat } from './call.ts';
import { itWithDatabase, newOrganization, openTarget } from './index.ts';

const target = await openTarget();
afterAll(target.close);
const organization = await newOrganization(target);

const stateOf = async (customer: Caller, chatId: string) => {
  const { chats_summary } = await customer.ok('list_chats', { limit: 25 });
  const { active, last_thread_id } = chats_summary.find(({ id }: { id: string }) => id === chatId);
  const { thread, users } = await customer.ok('get_chat', { chat_id: chatId });
  const { events_seen_up_to: seen } = users.find(({ id }: { id: string }) => id === customer.id);
  expect({ id: thread.id, active: thread.active }).toEqual({ id: last_thread_id, active });
  return { active, thread, seen };
};

describe('start_chat', () => {
  it('start_chat: (none) → active', async () => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer, [message('one'), message('two')]);
    const { active, thread, seen } = await stateOf(customer, chatId);
    expect({ active, thread: thread.id }).toEqual({ active: true, thread: threadId });
    expect(seen >= thread.events.at(-1).created_at).toBe(true);
  });

  it('start_chat: (none) → inactive with `active` false', async () => {
    const customer = await organization.customer();
    const { chat_id, thread_id } = await customer.ok('start_chat', {
      active: false,
      continuous: true,
      chat: { thread: { events: [message('for later')] } },
    });
    const { active, thread } = await stateOf(customer, chat_id);
    expect({ active, thread: thread.id, first: thread.events[0].text }).toEqual({
      active: false,
      thread: thread_id,
      first: 'for later',
    });
  });

  it('start_chat requires an online agent unless the chat is continuous', async () => {
    const customer = await organization.customer();
    expectError(await customer.call('start_chat'), 'groups_offline');
    expectError(await customer.call('start_chat', { continuous: false }), 'groups_offline');
    expectError(await customer.call('start_chat', { chat: { access: { group_ids: [0] } } }), 'groups_offline');
    await customer.ok('start_chat', { continuous: true });
  });
});

describe('resume_chat', () => {
  it('resume_chat: inactive → active with a new thread', async () => {
    const customer = await organization.customer();
    const { chatId, threadIds } = await archiveChat(customer);
    const { thread_id } = await customer.ok('resume_chat', {
      chat: { id: chatId, thread: { events: [message('back')] } },
    });
    const { active, thread, seen } = await stateOf(customer, chatId);
    expect({ active, id: thread.id, before: thread.previous_thread_id }).toEqual({
      active: true,
      id: thread_id,
      before: threadIds[0],
    });
    expect(seen >= thread.events.at(-1).created_at).toBe(true);
  });

  it('resume_chat: inactive → inactive with `active` false', async () => {
    const customer = await organization.customer();
    const { chatId } = await archiveChat(customer);
    const { thread_id } = await customer.ok('resume_chat', { chat: { id: chatId }, active: false });
    const { active, thread } = await stateOf(customer, chatId);
    expect({ active, id: thread.id }).toEqual({ active: false, id: thread_id });
  });

  it('resume_chat keeps the mode when `continuous` is unset and sets it otherwise', async () => {
    const customer = await organization.customer();
    const { chatId } = await archiveChat(customer);
    await customer.ok('resume_chat', { chat: { id: chatId } });
    await customer.ok('deactivate_chat', { id: chatId });
    expectError(await customer.call('resume_chat', { chat: { id: chatId }, continuous: false }), 'groups_offline');
    await customer.ok('resume_chat', { chat: { id: chatId }, continuous: true });
  });

  it('resume_chat rejects an active chat', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    const response = await customer.call('resume_chat', { chat: { id: chatId } });
    expectError(response, 'validation');
    expect((await customer.ok('list_threads', { chat_id: chatId })).found_threads).toBe(1);
  });

  itWithDatabase(target)('resume_chat can make a chat continuous', async () => {
    const staffed = await newOrganization(target, { online: true });
    const customer = await staffed.customer();
    const { chat_id: id } = await customer.ok('start_chat');
    await customer.ok('deactivate_chat', { id });
    await target.runSql!(`update agents set status = 'offline' where organization_id = $1`, [staffed.id]);
    expectError(await customer.call('resume_chat', { chat: { id } }), 'groups_offline');
    await customer.ok('resume_chat', { chat: { id }, continuous: true });
    await customer.ok('deactivate_chat', { id });
    await customer.ok('resume_chat', { chat: { id } });
  });
});

describe('deactivate_chat', () => {
  it('deactivate_chat: active → inactive, and no more events can be sent', async () => {
    const customer = await organization.customer();
    const { chatId } = await startChat(customer);
    await customer.ok('deactivate_chat', { id: chatId });
    const { active, thread } = await stateOf(customer, chatId);
    expect(active).toBe(false);
    expect(thread.events.at(-1)).toMatchObject({
      type: 'system_message',
      system_message_type: 'manual_archived_customer',
    });
    expectError(await customer.call('send_event', { chat_id: chatId, event: message('too late') }), 'chat_inactive');
  });

  it('deactivate_chat returns chat_inactive for an inactive chat', async () => {
    const customer = await organization.customer();
    const { chatId } = await archiveChat(customer);
    expectError(await customer.call('deactivate_chat', { id: chatId }), 'chat_inactive');
  });
});

describe('send_event', () => {
  it('send_event: inactive → inactive with `attach_to_last_thread`', async () => {
    const customer = await organization.customer();
    const { chatId, threadIds } = await archiveChat(customer, 2);
    const event = message('one more thing');
    expectError(await customer.call('send_event', { chat_id: chatId, event }), 'chat_inactive');
    expectError(
      await customer.call('send_event', { chat_id: chatId, event, attach_to_last_thread: false }),
      'chat_inactive',
    );
    const { event_id } = await customer.ok('send_event', { chat_id: chatId, event, attach_to_last_thread: true });
    const { active, thread } = await stateOf(customer, chatId);
    expect({ active, id: thread.id }).toEqual({ active: false, id: threadIds[1] });
    expect(thread.events.at(-1)).toMatchObject({ id: event_id, text: 'one more thing' });
  });

  it('send_event ignores `attach_to_last_thread` in an active chat', async () => {
    const customer = await organization.customer();
    const { chatId, threadId } = await startChat(customer);
    for (const attach_to_last_thread of [true, false]) {
      await customer.ok('send_event', { chat_id: chatId, event: message('hello'), attach_to_last_thread });
    }
    const { active, thread } = await stateOf(customer, chatId);
    expect({ active, id: thread.id }).toEqual({ active: true, id: threadId });
  });
});
