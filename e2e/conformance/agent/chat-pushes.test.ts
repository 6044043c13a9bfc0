import { afterAll, describe, expect, it } from 'vitest';
import { message } from '../customer/call.ts';
import { HELP, join, openChat, openTarget, SALES } from './index.ts';
import { openParticipants } from './participants.ts';
import { actionsOf } from './push-recorder.ts';

const target = await openTarget();
afterAll(target.close);

/** The agents who can see the chats of Sales. */
const recipientsInChat = (...actions: string[]) => ({ owner: actions, colleague: actions, customer: actions });
const agentsIn = (...actions: string[]) => ({ owner: actions, colleague: actions });

describe.skipIf(!target.runSql)('pushes about chats', async () => {
  if (!target.runSql) return;
  const { recordPushes, owner, colleague, outsider, customer, passerby, sockets, close } =
    await openParticipants(target);
  afterAll(close);

  const answeredChat = async () => {
    const chat = await openChat(customer, SALES);
    await join(colleague, chat.chat_id);
    return chat;
  };
  const byAgent = (chat_id: string, { id }: { id: string }, more: object = {}) => ({
    ...{ chat_id, user_id: id, user_type: 'agent' },
    ...more,
  });

  it('incoming_chat shows a queued customer chat with its queue position', async () => {
    let chatId = '';
    const received = await recordPushes(async () => {
      chatId = (await openChat(customer, SALES)).chat_id;
    });
    expect(actionsOf(received)).toEqual(recipientsInChat('incoming_chat'));
    expect(received.colleague[0].payload).toMatchObject({
      requester_id: customer.id,
      chat: {
        id: chatId,
        access: { group_ids: [SALES] },
        users: [{ id: customer.id, type: 'customer', present: true }],
        thread: { active: true, user_ids: [customer.id], queue: { position: 1 }, events: [{ text: 'hello' }] },
      },
    });
    await customer.ok('deactivate_chat', { id: chatId });
  });

  it('incoming_chat follows the response and carries the request id when an agent starts or resumes a chat over a socket', async () => {
    const chat = { users: [{ id: customer.id, type: 'customer' }], access: { group_ids: [SALES] } };
    sockets.colleague.send({ request_id: 'start', action: 'start_chat', payload: { chat } });
    const first = await sockets.colleague.next(({ request_id }) => request_id === 'start');
    const second = await sockets.colleague.next(({ request_id }) => request_id === 'start');
    expect([first, second]).toMatchObject([
      { type: 'response', action: 'start_chat', success: true },
      { type: 'push', action: 'incoming_chat', payload: { requester_id: colleague.id } },
    ]);
    const { chat_id: id } = first.payload;
    const seen = await sockets.customer.push('incoming_chat', (payload) => payload.chat.id === id);
    expect(seen.requester_id).toMatch(/^[0-9a-f]{32}$/);
    expect(seen.chat.users).toContainEqual(expect.objectContaining({ id: seen.requester_id, name: 'Alma' }));

    await colleague.ok('deactivate_chat', { id });
    const received = await recordPushes(() => colleague.ok('resume_chat', { chat: { id } }));
    expect(actionsOf(received)).toEqual(recipientsInChat('incoming_chat'));
    expect(received.owner[0]).not.toHaveProperty('request_id');
  });

  it('chat_deactivated follows the system message about the closing', async () => {
    const { chat_id, thread_id } = await answeredChat();
    const received = await recordPushes(() => colleague.ok('deactivate_chat', { id: chat_id }));
    expect(actionsOf(received)).toEqual(recipientsInChat('incoming_event', 'chat_deactivated'));
    expect(received.owner).toMatchObject([
      { payload: { event: { type: 'system_message', system_message_type: 'manual_archived_agent' } } },
      { payload: { chat_id, thread_id, user_id: colleague.id } },
    ]);
    expect(received.customer[1].payload.user_id).toMatch(/^[0-9a-f]{32}$/);
  });

  it('only administrators can close a chat they are not in, and only with ignore_requester_presence', async () => {
    const { chat_id: id } = await answeredChat();
    const forbidden = { body: { error: { type: 'authorization' } } };
    expect(await owner.call('deactivate_chat', { id })).toMatchObject(forbidden);
    await owner.ok('deactivate_chat', { id, ignore_requester_presence: true });
    const again = await owner.call('deactivate_chat', { id, ignore_requester_presence: true });
    expect(again).toMatchObject({ status: 422, body: { error: { type: 'chat_inactive' } } });
  });

  it('incoming_chat and chat_unfollowed reach only the agent who follows or unfollows the chat', async () => {
    const { chat_id: id } = await answeredChat();
    expect(actionsOf(await recordPushes(() => owner.ok('follow_chat', { id })))).toEqual({ owner: ['incoming_chat'] });
    expect(await owner.ok('get_chat', { chat_id: id })).toMatchObject({ is_followed: true });
    expect(await colleague.ok('get_chat', { chat_id: id })).toMatchObject({ is_followed: false });
    const received = await recordPushes(() => owner.ok('unfollow_chat', { id }));
    expect(received).toMatchObject({ owner: [{ action: 'chat_unfollowed', payload: { chat_id: id } }] });
    expect(actionsOf(received)).toEqual({ owner: ['chat_unfollowed'] });
  });

  it('user_added_to_chat and user_removed_from_chat are pushed for an agent the customer can see', async () => {
    const { chat_id, thread_id } = await answeredChat();
    const joined = await recordPushes(() => join(owner, chat_id));
    expect(actionsOf(joined)).toEqual(recipientsInChat('user_added_to_chat', 'incoming_event'));
    expect(joined.colleague).toMatchObject([
      { payload: { chat_id, thread_id, user: { id: owner.id, visibility: 'all' }, user_type: 'agent' } },
      { payload: { event: { system_message_type: 'agent_joined' } } },
    ]);
    expect(joined.customer[0].payload).toMatchObject({ user: { name: 'Olga', present: true } });
    const left = await recordPushes(() => owner.ok('remove_user_from_chat', byAgent(chat_id, owner)));
    expect(actionsOf(left)).toEqual(recipientsInChat('user_removed_from_chat', 'incoming_event'));
    expect(left.colleague[0].payload).toMatchObject({ chat_id, user_id: owner.id, reason: expect.any(String) });
  });

  it('a silent supervisor is visible only to agents until they become visible to everyone', async () => {
    const { chat_id } = await answeredChat();
    expect(actionsOf(await recordPushes(() => join(owner, chat_id, 'agents')))).toEqual(
      agentsIn('user_added_to_chat', 'incoming_event'),
    );
    expect((await customer.ok('get_chat', { chat_id })).users).toHaveLength(2);
    const silently = await recordPushes(async () => {
      await owner.ok('send_typing_indicator', { chat_id, is_typing: true });
      await owner.ok('mark_events_as_seen', { chat_id, seen_up_to: '2100-01-01T00:00:00.000000Z' });
    });
    expect(Object.keys(actionsOf(silently))).toEqual(['owner', 'colleague']);
    expect(actionsOf(await recordPushes(() => join(owner, chat_id)))).toMatchObject({
      customer: ['user_added_to_chat', 'incoming_event'],
    });
    const back = await owner.call('add_user_to_chat', byAgent(chat_id, owner, { visibility: 'agents' }));
    expect(back).toMatchObject({ body: { error: { type: 'validation' } } });
  });

  it('a silent supervisor who closes the chat is not named to the customer', async () => {
    const { chat_id, thread_id } = await answeredChat();
    await join(owner, chat_id, 'agents');
    const received = await recordPushes(() => owner.ok('deactivate_chat', { id: chat_id }));
    const closing = ({ action }: { action: string }) => action === 'chat_deactivated';
    expect(received.customer.find(closing).payload).toEqual({ chat_id, thread_id });
    expect(received.colleague.find(closing).payload).toEqual({ chat_id, thread_id, user_id: owner.id });
    expect(JSON.stringify(received.customer)).not.toContain('Olga');
  });

  it('an agent of another group who is added to a chat receives its pushes until they leave', async () => {
    const { chat_id } = await answeredChat();
    expect(await outsider.call('get_chat', { chat_id })).toMatchObject({ status: 404 });
    const brought = await recordPushes(() =>
      colleague.ok('add_user_to_chat', byAgent(chat_id, outsider, { visibility: 'agents' })),
    );
    expect(actionsOf(brought)).toEqual({
      ...agentsIn('user_added_to_chat', 'incoming_event'),
      outsider: ['user_added_to_chat', 'incoming_event'],
    });
    const said = await recordPushes(() => customer.ok('send_event', { chat_id, event: message('who is there?') }));
    expect(actionsOf(said)).toMatchObject({ outsider: ['incoming_event'] });
    await outsider.ok('remove_user_from_chat', byAgent(chat_id, outsider));
    const after = await recordPushes(() => customer.ok('send_event', { chat_id, event: message('nobody?') }));
    expect(actionsOf(after)).toEqual(recipientsInChat('incoming_event'));
  });

  it('adding another agent requires the requester to be in the chat', async () => {
    const { chat_id } = await answeredChat();
    const forbidden = { status: 403, body: { error: { type: 'authorization' } } };
    const user = byAgent(chat_id, outsider, { visibility: 'all' });
    expect(await owner.call('add_user_to_chat', user)).toMatchObject(forbidden);
    await owner.ok('add_user_to_chat', { ...user, ignore_requester_presence: true });
    expect(await owner.call('remove_user_from_chat', user)).toMatchObject(forbidden);
    await owner.ok('remove_user_from_chat', { ...user, ignore_requester_presence: true });
  });

  it('queue_positions_updated reaches the agents of the group and queue_position_updated the customer concerned', async () => {
    const ahead = await openChat(passerby, SALES);
    const { chat_id, thread_id } = await openChat(customer, SALES);
    const { position } = (await customer.ok('get_chat', { chat_id })).thread.queue;
    const received = await recordPushes(() => passerby.ok('deactivate_chat', { id: ahead.chat_id }));
    const actions = actionsOf(received);
    expect(actions.owner).toContain('queue_positions_updated');
    expect(actions.colleague).toEqual(actions.owner);
    expect(actions.customer).toEqual(['queue_position_updated']);
    expect(actions.passerby).toEqual(['incoming_event', 'chat_deactivated']);
    expect(actions).not.toHaveProperty('outsider');
    const moved = { chat_id, thread_id, queue: { position: position - 1, wait_time: expect.any(Number) } };
    expect(received.customer[0].payload).toEqual(moved);
    const list = received.owner.find(({ action }) => action === 'queue_positions_updated').payload;
    expect(list).toContainEqual(moved);
    await customer.ok('deactivate_chat', { id: chat_id });
  });

  it('a transfer to a group pushes chat_transferred to all and the whole chat to agents who can see it now', async () => {
    const { chat_id, thread_id } = await answeredChat();
    const target = { type: 'group', ids: [HELP] };
    const received = await recordPushes(() =>
      colleague.ok('transfer_chat', { id: chat_id, target, reason: 'a question of help' }),
    );
    const actions = actionsOf(received);
    expect(actions.outsider).toContain('incoming_chat');
    expect(actions.owner).toEqual(
      expect.arrayContaining(['chat_transferred', 'user_removed_from_chat', 'chat_access_updated', 'incoming_event']),
    );
    expect(actions.colleague).toEqual(expect.arrayContaining(['chat_transferred', 'chat_access_updated']));
    expect(actions.customer).toEqual(expect.arrayContaining(['chat_transferred', 'user_removed_from_chat']));
    expect(actions.customer).not.toContain('chat_access_updated');
    expect(actions).not.toHaveProperty('passerby');
    expect(received.outsider.find(({ action }) => action === 'incoming_chat').payload).toMatchObject({
      chat: { id: chat_id, access: { group_ids: [HELP] } },
      transferred_from: { group_ids: [SALES], agent_ids: [colleague.id] },
    });
    const about = (name: 'owner' | 'customer') =>
      received[name].find(({ action }) => action === 'chat_transferred').payload;
    expect(about('owner')).toMatchObject({
      ...{ chat_id, thread_id, requester_id: colleague.id, reason: 'a question of help' },
      ...{ transferred_to: { group_ids: [HELP] }, queue: { position: 1 } },
    });
    expect(about('customer')).toMatchObject({ chat_id, transferred_to: { group_ids: [HELP] } });
    expect(JSON.stringify(received.customer)).not.toContain(colleague.id);
    expect(await colleague.call('get_chat', { chat_id })).toMatchObject({ status: 404 });
  });

  it('a transfer to an agent adds that agent to the chat and removes the previous one', async () => {
    const { chat_id } = await answeredChat();
    const target = { type: 'agent', ids: [outsider.id] };
    const received = await recordPushes(() => colleague.ok('transfer_chat', { id: chat_id, target }));
    expect(actionsOf(received).outsider).toEqual(expect.arrayContaining(['user_added_to_chat']));
    const { payload } = received.customer.find(({ action }) => action === 'chat_transferred');
    expect(payload).toMatchObject({
      reason: 'manual',
      transferred_to: { agent_ids: [expect.stringMatching(/^\w{32}$/)] },
    });
    const { users } = await outsider.ok('get_chat', { chat_id });
    const present = users.filter((user: { present: boolean }) => user.present).map(({ id }: { id: string }) => id);
    expect(present.toSorted()).toEqual([customer.id, outsider.id].toSorted());
  });
});
