import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  renewToken,
  type TestCustomer,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type CallCustomer, callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import { type ListeningApp, startListeningApp } from '../../testing/http/customer-sockets.ts';

let test: ListeningApp;
let organization: TestOrganization;
let customer: TestCustomer;
let call: CallCustomer;

beforeAll(async () => {
  test = await startListeningApp();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  customer = await buildCustomer(organization);
  call = callAs(test, organization, customer);
  await buildGroup(organization, 2);
  await buildGroup(organization, 3);
});

const setStatus = (login: string, status: 'accepting chats' | 'not accepting chats' | 'offline') =>
  setAgentStatus(organization.scope, { login, status });

/** An agent who accepts chats, with a chat limit. */
const buildAccepting = async (groupIds: number[], maxChats: number): Promise<string> => {
  const { login } = await buildAgent(organization, { groupIds });
  await organization.scope.update('agents').where('id', '=', login).set({ maxChatsCount: maxChats }).execute();
  await setStatus(login, 'accepting chats');
  return login;
};

const statuses = async () => (await call('list_group_statuses', { all: true })).body.groups_status;

describe('list_group_statuses', () => {
  it('is offline while no agent accepts chats', async () => {
    expect(await call('list_group_statuses', { all: true })).toMatchObject({
      status: 200,
      body: { groups_status: { 0: 'offline', 2: 'offline', 3: 'offline' } },
    });
    await setStatus(organization.owner.login, 'not accepting chats');
    expect(await statuses()).toEqual({ 0: 'offline', 2: 'offline', 3: 'offline' });
  });

  it('is online while an agent has capacity, and online for the queue while all are at their limit', async () => {
    await buildAccepting([2], 1);
    expect(await statuses()).toEqual({ 0: 'online', 2: 'online', 3: 'offline' });
    const { chatId } = await buildChat(organization, customer, { groupIds: [2] });
    expect(await statuses()).toEqual({ 0: 'online_for_queue', 2: 'online_for_queue', 3: 'offline' });
    await buildAccepting([3], 1);
    expect(await statuses()).toEqual({ 0: 'online', 2: 'online_for_queue', 3: 'online' });
    await deactivateChat(customerScope(organization, customer), { chatId });
    expect(await statuses()).toEqual({ 0: 'online', 2: 'online', 3: 'online' });
  });

  it.each([
    [{ group_ids: [2, 9, 2] }, { 2: 'offline' }],
    [{ group_ids: [] }, {}],
    [{ all: false, group_ids: [3] }, { 3: 'offline' }],
    [
      { all: true, group_ids: [3] },
      { 0: 'offline', 2: 'offline', 3: 'offline' },
    ],
    [
      { all: true, group_ids: null },
      { 0: 'offline', 2: 'offline', 3: 'offline' },
    ],
  ])('returns only existing groups for %j', async (body, groups_status) => {
    expect(await call('list_group_statuses', body)).toMatchObject({ status: 200, body: { groups_status } });
    expect(Object.keys((await call('list_group_statuses', body)).body.groups_status)).toEqual(
      Object.keys(groups_status),
    );
  });

  it.each([{}, { all: false }, { group_ids: null }, { group_ids: ['2'] }, { group_ids: 2 }, { all: 'yes' }])(
    'rejects %j',
    async (body) => {
      expect(await call('list_group_statuses', body)).toMatchObject(errorResponse(400, 'validation'));
    },
  );

  it('does not return groups of another account', async () => {
    const other = await buildOrganization(test);
    await buildGroup(other, 8);
    expect((await call('list_group_statuses', { group_ids: [8] })).body).toEqual({ groups_status: {} });
    expect((await statuses())[0]).toBe('offline');
  });
});

describe('groups_status_updated', () => {
  it('is pushed to every customer with only the changed groups', async () => {
    const client = await test.logIn(organization, customer);
    const other = await test.logIn(organization, await buildCustomer(organization));
    const login = await buildAccepting([2], 2);
    const online = {
      action: 'groups_status_updated',
      payload: {
        groups: [
          { id: 0, status: 'online' },
          { id: 2, status: 'online' },
        ],
      },
    };
    for (const socket of [client, other]) expect(await socket.nextPush()).toMatchObject(online);
    const second = await buildAccepting([2, 3], 2);
    expect((await client.nextPush()).payload).toEqual({ groups: [{ id: 3, status: 'online' }] });
    await setStatus(login, 'accepting chats');
    await setStatus(login, 'offline');
    await setStatus(second, 'offline');
    const ids = [0, 2, 3];
    expect((await client.nextPush()).payload).toEqual({ groups: ids.map((id) => ({ id, status: 'offline' })) });
    for (const socket of [client, other]) await socket.close();
  });

  it('is pushed when the last capacity is used and when capacity is available again', async () => {
    await buildAccepting([2], 2);
    const client = await test.logIn(organization, await buildCustomer(organization));
    const chats = [await buildChat(organization, customer), await buildChat(organization, customer)];
    const both = (status: string) => ({ groups: [0, 2].map((id) => ({ id, status })) });
    expect((await client.nextPush()).payload).toEqual(both('online_for_queue'));
    await buildChat(organization, customer);
    for (const { chatId } of chats) await deactivateChat(customerScope(organization, customer), { chatId });
    expect((await client.nextPush()).payload).toEqual(both('online'));
    expect(await client.request('ping')).toMatchObject({ success: true });
    expect(client.unread()).toEqual([]);
    await client.close();
  });

  it('is complete when several agents go offline concurrently', async () => {
    const logins = await Promise.all([1, 2, 3, 4].map(() => buildAccepting([2], 1)));
    const client = await test.logIn(organization, customer);
    await Promise.all(logins.map((login) => setStatus(login, 'offline')));
    const ids = [0, 2];
    expect((await client.nextPush()).payload).toEqual({ groups: ids.map((id) => ({ id, status: 'offline' })) });
    expect(client.unread()).toEqual([]);
    await client.close();
  });
});

describe('get_predicted_agent', () => {
  it('returns the agent who then gets the chat', async () => {
    await buildAccepting([2], 3);
    await buildAccepting([2], 3);
    for (const _ of [1, 2, 3]) {
      const { agent, queue } = (await call('get_predicted_agent')).body;
      expect(queue).toBe(false);
      expect(agent).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        ...{ name: 'Alma Agent', avatar: '', is_bot: false, job_title: 'Support Agent', type: 'agent' },
      });
      const { chatId } = await buildChat(organization, customer);
      const { users } = (await call('get_chat', { chat_id: chatId })).body;
      expect(users.map(({ id }: { id: string }) => id)).toContain(agent.id);
    }
  });

  it('returns a queued prediction while no agent has capacity', async () => {
    await buildAccepting([2], 1);
    await buildChat(organization, customer);
    expect(await call('get_predicted_agent', { group_id: 2 })).toMatchObject({ status: 200, body: { queue: true } });
  });

  it.each([
    ['no agent accepts chats', { group_id: 3 }, 422, 'group_offline'],
    ['all agents have a chat limit of 0', { group_id: 2 }, 422, 'group_unavailable'],
    ['the group does not exist', { group_id: 9 }, 404, 'group_not_found'],
    ['the group is not a number', { group_id: 'x' }, 400, 'validation'],
  ])('is rejected when %s', async (_, body, status, type) => {
    await buildAccepting([2], 0);
    expect(await call('get_predicted_agent', body)).toMatchObject(errorResponse(status, type));
  });

  it('requires an online customer', async () => {
    await setStatus(organization.owner.login, 'accepting chats');
    const predict = async () => (await call('get_predicted_agent')).status;
    expect(await predict()).toBe(200);
    test.clock.advance(61_000);
    expect(await call('get_predicted_agent')).toMatchObject(errorResponse(403, 'authorization'));
    await renewToken(organization, customer);
    expect(await predict(), 'a token was just given out').toBe(200);
    test.clock.advance(61_000);
    const client = await test.logIn(organization, customer);
    test.clock.advance(61_000);
    expect(await predict(), 'there is an open socket').toBe(200);
    expect(await client.request('get_predicted_agent')).toMatchObject({ success: true, payload: { queue: false } });
    await client.close();
    await buildChat(organization, customer);
    test.clock.advance(300_000);
    expect(await predict(), 'there is an active chat').toBe(200);
  });
});
