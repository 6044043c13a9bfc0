import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAgent, logIn, nextPush } from '../../testing/builders/presence.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

const SALES = 7;
const EMPTY = 8;

let test: ListeningApp;
let organization: TestOrganization;
let owner: TestAgent;
let alma: TestAgent;
let bert: TestAgent;
let customer: TestCustomer;
let chat: { chatId: string; threadId: string };

beforeAll(async () => {
  test = await startListeningApp();
});
afterAll(() => test[Symbol.asyncDispose]());

/** Alma has a chat of the group of all agents; Bert is in Sales and accepts no chats; the owner is offline. */
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  owner = organization.owner;
  await buildGroup(organization, SALES, 'Sales');
  await buildGroup(organization, EMPTY, 'Nobody');
  alma = await buildAgent(organization, { name: 'Alma' });
  bert = await buildAgent(organization, { name: 'Bert', groupIds: [SALES] });
  await organization.scope.update('agents').set({ maxChatsCount: 1 }).execute();
  await setStatus(alma, 'accepting chats');
  customer = await buildCustomer(organization);
  chat = await buildChat(organization, customer, { continuous: true });
});

const setStatus = ({ login }: TestAgent, status: 'accepting chats' | 'not accepting chats') =>
  setAgentStatus(organization.scope, { login, status });
const transfer = (agent: TestAgent, target: object | undefined, more: object = {}) =>
  callAgent(test, agent)('transfer_chat', { id: chat.chatId, target, ...more });
const toAgent = ({ login }: TestAgent) => ({ type: 'agent', ids: [login] });
const toGroup = (...ids: number[]) => ({ type: 'group', ids });
const readChat = () =>
  organization.scope
    .from('chats')
    .where('id', '=', chat.chatId)
    .select(['assigneeId', 'groupIds'])
    .executeTakeFirstOrThrow();
const refused = (type: string) => ({ body: { error: { type } } });
const done = { status: 200, body: {} };
const fillUp = async (agent: TestAgent) => {
  await setStatus(agent, 'accepting chats');
  await buildChat(organization, await buildCustomer(organization), { groupIds: [SALES] });
};

describe('transfer_chat to an agent', () => {
  it('ignores the agent’s status unless asked to check it', async () => {
    expect(await transfer(alma, toAgent(bert), { ignore_agents_availability: false })).toMatchObject(
      refused('groups_offline'),
    );
    expect(await transfer(alma, toAgent(bert))).toEqual(done);
    expect(await readChat()).toEqual({ assigneeId: bert.login, groupIds: [0] });
  });

  it('respects the chat limit unless asked to ignore it', async () => {
    await fillUp(bert);
    expect(await transfer(alma, toAgent(bert))).toMatchObject(refused('limit_reached'));
    expect(await transfer(alma, toAgent(bert), { ignore_agents_availability: true })).toEqual(done);
    expect((await readChat()).assigneeId).toBe(bert.login);
  });

  it('to oneself takes over a chat; every agent who can access it may do so', async () => {
    expect(await transfer(bert, toAgent(bert))).toEqual(done);
    expect((await readChat()).assigneeId).toBe(bert.login);
    expect(await transfer(bert, toAgent(bert))).toEqual(done);
    const { body } = await callAgent(test, bert)('list_assignments', { chat_id: chat.chatId });
    expect(body.assignments.map(({ rule }: { rule: string }) => rule)).toEqual(['only_candidate', 'taken_over']);
  });

  it('assigns queued chats to the agent who became free', async () => {
    const waiting = await buildChat(organization, customer, { continuous: true });
    await transfer(alma, toAgent(bert));
    const { assigneeId } = await organization.scope
      .from('chats')
      .where('id', '=', waiting.chatId)
      .select('assigneeId')
      .executeTakeFirstOrThrow();
    expect(assigneeId).toBe(alma.login);
  });

  it('is allowed for participants and administrators', async () => {
    expect(await transfer(bert, toAgent(owner))).toMatchObject(refused('authorization'));
    expect(await transfer(owner, toAgent(bert))).toEqual(done);
  });

  it.each([
    ['an unknown agent', () => ({ type: 'agent', ids: ['nobody@shop.test'] }), 'not_found'],
    ['an unknown group', () => toGroup(99), 'group_not_found'],
    ['a group that is not a number', () => ({ type: 'group', ids: ['sales'] }), 'validation'],
    ['no target', () => ({ type: 'agent', ids: [] }), 'validation'],
    ['a group id out of range', () => ({ type: 'group', ids: ['99999999999'] }), 'validation'],
    ['a blank group id', () => ({ type: 'group', ids: [' '] }), 'validation'],
  ])('rejects %s', async (_, target, type) => {
    expect(await transfer(alma, target())).toMatchObject(refused(type));
  });

  it('rejects closed and inaccessible chats', async () => {
    expect(await callAgent(test, alma)('transfer_chat', { id: 'NOSUCHCHAT' })).toMatchObject(refused('not_found'));
    const { chatId } = await buildChat(organization, customer, { active: false, continuous: true });
    expect(await callAgent(test, owner)('transfer_chat', { id: chatId })).toMatchObject(refused('chat_inactive'));
  });
});

describe('transfer_chat to a group', () => {
  it('routes the chat within the group', async () => {
    await setStatus(bert, 'accepting chats');
    expect(await transfer(alma, toGroup(SALES))).toEqual(done);
    expect(await readChat()).toEqual({ assigneeId: bert.login, groupIds: [SALES] });
  });

  it('queues the chat before all others if no agent has capacity', async () => {
    await fillUp(bert);
    await buildChat(organization, await buildCustomer(organization), { groupIds: [SALES] });
    expect(await transfer(alma, toGroup(SALES), { ignore_agents_availability: false })).toEqual(done);
    expect((await readChat()).assigneeId).toBeNull();
    const { body } = await callAgent(test, owner)('list_assignments', { chat_id: chat.chatId });
    expect(body.assignments).toMatchObject([{ agent_id: alma.login, ended_at: expect.any(String) }]);
    const entries = organization.scope.from('queueEntries').where('leftAt', 'is', null);
    const order = await entries.orderBy('priority', 'desc').orderBy('enteredAt').select('chatId').execute();
    expect(order[0]).toEqual({ chatId: chat.chatId });
  });

  it('rejects a group without accepting agents only if asked to check', async () => {
    expect(await transfer(alma, toGroup(EMPTY), { ignore_agents_availability: false })).toMatchObject(
      refused('groups_offline'),
    );
    expect(await transfer(alma, toGroup(EMPTY))).toEqual(done);
    expect(await readChat()).toEqual({ assigneeId: null, groupIds: [EMPTY] });
  });

  it('without a target assigns the chat to another agent of its groups', async () => {
    await setStatus(bert, 'accepting chats');
    expect(await transfer(alma, undefined)).toEqual(done);
    expect((await readChat()).assigneeId).toBe(bert.login);
  });
});

describe('the pushes of a transfer', () => {
  it('inform the previous agent, the new agent, and the customer without the login', async () => {
    const [giving, taking] = [await logIn(test, alma), await logIn(test, bert)];
    const asking = await test.logIn(organization, customer);
    await setStatus(bert, 'accepting chats');
    expect(await transfer(alma, toGroup(SALES), { reason: 'sales' })).toEqual(done);
    const about = { chat_id: chat.chatId, thread_id: chat.threadId };
    expect(await nextPush(giving, 'chat_transferred')).toMatchObject({
      payload: {
        ...about,
        requester_id: alma.login,
        reason: 'sales',
        transferred_to: { group_ids: [SALES], agent_ids: [bert.login] },
      },
    });
    expect(await nextPush(giving, 'user_removed_from_chat')).toMatchObject({
      payload: { ...about, user_id: alma.login },
    });
    expect(await nextPush(taking, 'chat_access_updated')).toMatchObject({
      payload: { id: chat.chatId, access: { group_ids: [SALES] } },
    });
    const push = await nextPush(asking, 'chat_transferred');
    expect(push.payload.transferred_to.agent_ids).toHaveLength(1);
    expect(await nextPush(asking, 'user_added_to_chat')).toMatchObject({ payload: { user: { name: 'Bert' } } });
    expect(await nextPush(asking, 'incoming_event')).toMatchObject({
      payload: { event: { system_message_type: 'chat_transferred', text: 'Alma transferred the chat to Sales' } },
    });
    expect(JSON.stringify(push)).not.toContain('@shop.test');
    await Promise.all([giving.close(), taking.close(), asking.close()]);
  });

  it('send the whole chat to agents who could not access it before, and to no others', async () => {
    await transfer(alma, toGroup(EMPTY));
    const [sales, boss] = [await logIn(test, bert), await logIn(test, owner)];
    await setStatus(bert, 'accepting chats');
    expect(await transfer(owner, toGroup(SALES))).toEqual(done);
    expect(await nextPush(sales, 'incoming_chat')).toMatchObject({
      payload: { chat: { id: chat.chatId }, transferred_from: { group_ids: [EMPTY], agent_ids: [] } },
    });
    await nextPush(boss, 'incoming_event');
    expect(boss.unread()).not.toContain('incoming_chat');
    await Promise.all([sales.close(), boss.close()]);
  });

  it('send the queue positions, as a list to agents', async () => {
    const agent = await logIn(test, owner);
    await setStatus(owner, 'not accepting chats');
    const waiting = await buildCustomer(organization);
    await buildChat(organization, await buildCustomer(organization), { continuous: true });
    const { chatId } = await buildChat(organization, waiting, { continuous: true });
    const client = await test.logIn(organization, waiting);
    await transfer(alma, toAgent(bert));
    const queued = { chat_id: chatId, queue: { position: 1, wait_time: expect.any(Number) } };
    expect(await nextPush(client, 'queue_position_updated')).toMatchObject({ payload: queued });
    expect(await nextPush(agent, 'queue_positions_updated')).toMatchObject({ payload: [queued] });
    await Promise.all([agent.close(), client.close()]);
  });
});

it('a fallback group gets the whole chat if it waited', async () => {
  await organization.scope.update('groups').where('id', '=', EMPTY).set({ fallbackGroupId: SALES }).execute();
  const waiting = await buildChat(organization, customer, { groupIds: [EMPTY], continuous: true });
  const client = await logIn(test, bert, { pushes: { '3.5': ['incoming_chat', 'incoming_event'] } });
  expect(await nextPush(client, 'incoming_chat')).toMatchObject({ payload: { chat: { id: waiting.chatId } } });
  await client.close();
});

describe('list_agents_for_transfer', () => {
  it('lists agents who accept chats and have capacity, least busy first', async () => {
    await organization.scope.update('agents').set({ maxChatsCount: 3 }).execute();
    for (const agent of [bert, owner]) await setStatus(agent, 'accepting chats');
    await buildChat(organization, await buildCustomer(organization), { groupIds: [SALES] });
    const list = () => callAgent(test, alma)('list_agents_for_transfer', { chat_id: chat.chatId });
    expect((await list()).body).toEqual([
      { agent_id: owner.login, total_active_chats: 0 },
      { agent_id: bert.login, total_active_chats: 1 },
    ]);
    await setStatus(owner, 'not accepting chats');
    const client = await logIn(test, alma);
    const answer = await client.request('list_agents_for_transfer', { chat_id: chat.chatId });
    expect(answer).toMatchObject({ success: true, payload: [{ agent_id: bert.login, total_active_chats: 1 }] });
    await client.close();
  });
});

describe('list_assignments', () => {
  it('returns the candidates and the reason of each assignment', async () => {
    await organization.scope.update('agents').set({ maxChatsCount: 2 }).execute();
    await setStatus(bert, 'accepting chats');
    const second = await buildChat(organization, customer, { continuous: true });
    const { body } = await callAgent(test, owner)('list_assignments', {
      chat_id: second.chatId,
      thread_id: second.threadId,
    });
    expect(body.assignments).toMatchObject([
      {
        thread_id: second.threadId,
        agent_id: bert.login,
        rule: 'lowest_load',
        group_ids: [0],
        candidates: expect.arrayContaining([
          { agent_id: bert.login, open: 0, limit: 2 },
          { agent_id: alma.login, open: 1, limit: 2, last_assigned_at: expect.any(String) },
        ]),
      },
    ]);
    const none = await callAgent(test, owner)('list_assignments', { chat_id: chat.chatId, thread_id: 'NOSUCH' });
    expect(none.body).toEqual({ assignments: [] });
  });
});
