import { afterAll, expect, it } from 'vitest';
import { logInCustomer } from './conformance/agent/agent-client.ts';
import { newTeam, openTarget, SALES } from './conformance/agent/index.ts';
import type { Socket } from './conformance/agent/socket.ts';
import { type Json, message } from './conformance/customer/call.ts';

const target = await openTarget();
afterAll(target.close);

const NOTE = 'she has asked for a refund twice before';

const startChat = async (socket: Socket, text: string) =>
  socket.ok('start_chat', { chat: { access: { group_ids: [SALES] }, thread: { events: [message(text)] } } });
const say = (socket: Socket, chat_id: string, text: string, more: object = {}) =>
  socket.ok('send_event', { chat_id, event: message(text, more) });
const queuePositionOf = async (socket: Socket, { chat_id }: Json): Promise<number | undefined> =>
  (await socket.push('incoming_chat', ({ chat }) => chat.id === chat_id)).chat.thread.queue?.position;
const waitForMessage = (socket: Socket, text: string) =>
  socket.push('incoming_event', ({ event }) => event.text === text);

it.skipIf(!target.runSql)(
  'routes, transfers and archives three chats of two agents and shows customers no private notes, logins or supervisors',
  async () => {
    const team = await newTeam(target);
    const alma = await team.addAgent('Alma', { groups: [SALES], limit: 1 });
    const bert = await team.addAgent('Bert', { groups: [SALES], limit: 1 });
    const ownerSocket = await team.owner.logIn();
    const callers = [await team.customer(), await team.customer(), await team.customer()];
    const [ann, bob, cleo] = (await Promise.all(callers.map((one) => logInCustomer(one)))) as [Socket, Socket, Socket];

    // No agent is online yet; customers are notified as soon as one is.
    expect(await ann.request('start_chat', { chat: { access: { group_ids: [SALES] } } })).toMatchObject({
      payload: { error: { type: 'groups_offline' } },
    });
    const almaSocket = await alma.logIn({});
    for (const customer of [ann, bob, cleo]) {
      const isOnline = ({ groups }: Json) => groups.some(({ id, status }: Json) => id === SALES && status === 'online');
      await customer.push('groups_status_updated', isOnline);
    }

    // One chat goes to the online agent and two are queued; they move up when another agent comes online.
    const first = await startChat(ann, 'I am Ann');
    const second = await startChat(bob, 'I am Bob');
    const third = await startChat(cleo, 'I am Cleo');
    const positions = [
      await queuePositionOf(ann, first),
      await queuePositionOf(bob, second),
      await queuePositionOf(cleo, third),
    ];
    expect(positions).toEqual([undefined, 1, 2]);
    const bertSocket = await bert.logIn({});
    await bob.push('chat_transferred', ({ reason }) => reason === 'assigned');
    const nextInLine = { chat_id: third.chat_id, queue: { position: 1, wait_time: expect.any(Number) } };
    expect(await cleo.push('queue_position_updated')).toMatchObject(nextInLine);
    expect(await ownerSocket.push('queue_positions_updated')).toMatchObject([nextInLine]);
    const agentsOf = async ({ chat_id }: Json): Promise<string[]> =>
      (await ownerSocket.ok('list_assignments', { chat_id })).assignments.map(({ agent_id }: Json) => agent_id);
    expect([await agentsOf(first), await agentsOf(second), await agentsOf(third)]).toEqual([[alma.id], [bert.id], []]);

    // Ann and Alma exchange messages and typing indicators; a supervisor joins and adds a private note.
    await almaSocket.ok('send_typing_indicator', { chat_id: first.chat_id, is_typing: true });
    await ann.push('incoming_typing_indicator');
    await ann.ok('send_sneak_peek', { chat_id: first.chat_id, sneak_peek_text: 'Where is m' });
    expect(await almaSocket.push('incoming_sneak_peek')).toMatchObject({ sneak_peek: { text: 'Where is m' } });
    await say(ann, first.chat_id, 'Where is my parcel?');
    await waitForMessage(almaSocket, 'Where is my parcel?');
    await ownerSocket.ok('add_user_to_chat', {
      ...{ chat_id: first.chat_id, user_id: team.owner.id, user_type: 'agent', visibility: 'agents' },
    });
    await almaSocket.push('user_added_to_chat', ({ user }) => user.id === team.owner.id);
    await say(ownerSocket, first.chat_id, NOTE, { visibility: 'agents' });
    await waitForMessage(almaSocket, NOTE);
    await say(almaSocket, first.chat_id, 'I shall look');
    await waitForMessage(ann, 'I shall look');

    // Bert is at his limit, so Ann cannot be transferred. When Bob’s chat ends, Cleo is next.
    const toGroup = { id: first.chat_id, target: { type: 'group', ids: [SALES] }, reason: 'manual' };
    const toBert = { id: first.chat_id, target: { type: 'agent', ids: [bert.id] } };
    expect(await almaSocket.request('transfer_chat', toBert)).toMatchObject({
      payload: { error: { type: 'limit_reached' } },
    });
    await say(bertSocket, second.chat_id, 'That is all, Bob');
    await bertSocket.ok('deactivate_chat', { id: second.chat_id });
    await bob.push('chat_deactivated');
    const answered = await cleo.push('chat_transferred', ({ chat_id }) => chat_id === third.chat_id);
    expect(answered).toMatchObject({ reason: 'assigned', transferred_to: { agent_ids: [expect.any(String)] } });
    expect(await agentsOf(third)).toEqual([bert.id]);
    await say(bertSocket, third.chat_id, 'Now to you, Cleo');
    await waitForMessage(cleo, 'Now to you, Cleo');
    await cleo.ok('deactivate_chat', { id: third.chat_id });
    await bertSocket.push('chat_deactivated', ({ chat_id }) => chat_id === third.chat_id);

    // Ann is transferred to the other agent, gets an answer, and rates the closed chat.
    await almaSocket.ok('transfer_chat', toGroup);
    const moved = await ann.push('chat_transferred');
    expect(moved).toMatchObject({ transferred_to: { group_ids: [SALES], agent_ids: [expect.any(String)] } });
    await bertSocket.push('user_added_to_chat', ({ user }) => user.id === bert.id);
    await say(bertSocket, first.chat_id, 'Your parcel is here');
    await waitForMessage(ann, 'Your parcel is here');
    await bertSocket.ok('tag_thread', { chat_id: first.chat_id, thread_id: first.thread_id, tag: 'parcel' });
    await bertSocket.ok('deactivate_chat', { id: first.chat_id });
    await ann.push('chat_deactivated');
    const rating = { rating: { score: 1, comment: 'Found it' } };
    await ann.ok('update_thread_properties', { ...first, event_ids: undefined, properties: rating });
    await bertSocket.push('thread_properties_updated', ({ properties }) => properties.rating?.score === 1);

    // The archive contains everything.
    const { chats } = await ownerSocket.ok('list_archives', { filters: { thread_ids: [first.thread_id] } });
    const { thread } = chats[0];
    const isArchived = (text: string): boolean => thread.events.some((event: Json) => event.text === text);
    const texts = ['I am Ann', 'Where is my parcel?', NOTE, 'I shall look', 'Your parcel is here'];
    expect(texts.map(isArchived)).toEqual(texts.map(() => true));
    expect(thread.events.map((event: Json) => event.system_message_type)).toEqual(
      expect.arrayContaining(['chat_transferred', 'manual_archived_agent', 'rating.chat_rated']),
    );
    expect(thread).toMatchObject({ active: false, tags: ['parcel'], properties: rating });
    expect(chats[0].users.map(({ id }: Json) => id)).toEqual(
      expect.arrayContaining([callers[0]!.id, alma.id, bert.id, team.owner.id]),
    );
    expect(await agentsOf(first)).toEqual([alma.id, bert.id]);

    const response = await fetch(`${target.url}/chats/${first.thread_id}`, {
      headers: { authorization: `Bearer ${team.owner.key}`, 'x-api-version': '2' },
    });
    const archived = (await response.json()) as Json;
    expect(archived).toMatchObject({
      id: first.thread_id,
      rate: 'rated_good',
      group: [SALES],
      tags: ['parcel'],
      pending: false,
    });
    expect(archived.agents.map(({ email }: Json) => email).toSorted()).toEqual([alma.id, bert.id].toSorted());
    expect(archived.messages.map(({ text }: Json) => text)).toEqual(
      expect.arrayContaining(texts.filter((one) => one !== NOTE)),
    );

    // No customer API shows the private note, a login or the supervisor.
    for (const [at, socket] of [ann, bob, cleo].entries()) {
      const { chat_id } = [first, second, third][at]!;
      for (const action of ['list_chats', 'get_customer', 'list_group_statuses'])
        await socket.request(action, { all: true });
      for (const action of ['get_chat', 'list_threads']) await socket.ok(action, { chat_id });
      const everything = JSON.stringify(socket.frames);
      expect(everything).toContain(['Your parcel is here', 'That is all, Bob', 'Now to you, Cleo'][at]);
      for (const secret of [NOTE, 'Olga', '@shop.test', team.owner.id, alma.id, bert.id, '"tags"'])
        expect(everything).not.toContain(secret);
      // The id and name of the supervisor do not occur either: the only agents are those who answered.
      expect(new Set(everything.match(/"[0-9a-f]{32}"/g)).size).toBe(at === 0 ? 2 : 1);
    }
    for (const socket of [ownerSocket, almaSocket, bertSocket, ann, bob, cleo]) socket.close();
  },
);
