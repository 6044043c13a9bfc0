import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getChat } from '#server/domain/support/chats/read/get-chat.ts';
import { updateGroupRouting } from '#server/domain/support/groups/routing-settings.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { callAs, errorResponse } from '#server/testing/http/call-customer.ts';
import { connectSocket } from '#server/testing/http/connect-socket.ts';

const SALES = 7;

const test = useTestApp();
let organization: TestOrganization;
let call: (operation: string, body?: object, by?: TestAgent) => ReturnType<ReturnType<typeof callAsAgent>>;
let asAgent: ReturnType<typeof callAsAgent>;

beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  asAgent = callAsAgent(test);
  const configure = callAsAgent(test, 'configuration');
  call = (operation, body, by = organization.owner) => configure(by, operation, body);
});
beforeEach(async () => {
  organization = await buildOrganization(test);
  await buildGroup(organization, SALES);
});

const done = { status: 200, body: {} };
const notFound = errorResponse(404, 'not_found');
const wrong = errorResponse(400, 'validation');
const create = async (body: object = {}): Promise<{ id: string; token: string }> => {
  const answer = await call('create_bot', { name: 'Robo', ...body });
  expect(answer).toMatchObject({ status: 200, body: { id: expect.stringMatching(/^[0-9a-f]{32}$/) } });
  return answer.body;
};
const accept = (token: string) => asAgent({ apiKey: token }, 'set_routing_status', { status: 'accepting_chats' });

describe('bots', () => {
  it('can be created, listed, updated and deleted', async () => {
    const settings = { avatar: 'https://x.test/r.png', job_title: 'Robot', max_chats_count: 50 };
    const { id } = await create({
      ...settings,
      groups: [{ id: SALES, priority: 'first' }],
      default_group_priority: 'last',
    });
    const bot = {
      id,
      name: 'Robo',
      ...settings,
      routing_status: 'offline',
      groups: [{ id: SALES, priority: 'normal' }],
    };
    expect(await call('get_bot', { id })).toMatchObject({ status: 200, body: bot });
    test.clock.advance(1);
    const plain = await create();
    expect(await call('list_bots', { all: true })).toMatchObject({
      status: 200,
      body: [bot, { id: plain.id, groups: [] }],
    });
    expect(await call('update_bot', { id, name: 'Bobo', groups: [], max_chats_count: 0, avatar: null })).toMatchObject(
      done,
    );
    expect((await call('get_bot', { id })).body).toEqual({ ...bot, name: 'Bobo', groups: [], max_chats_count: 0 });
    expect(await call('update_bot', { id })).toMatchObject(done);
    expect(await call('delete_bot', { id })).toMatchObject(done);
    for (const operation of ['get_bot', 'update_bot', 'delete_bot', 'reset_bot_token'])
      expect(await call(operation, { id })).toMatchObject(notFound);
    expect(await call('issue_bot_token', { bot_id: id })).toMatchObject(notFound);
    expect((await call('list_bots')).body).toHaveLength(1);
  });

  it('are not listed among agents by the chat operations API', async () => {
    await create();
    const response = await test.app.inject({ url: '/agents', headers: { authorization: organization.owner.basic } });
    expect(response.json().map(({ login }: { login: string }) => login)).toEqual([organization.owner.login]);
    expect(await call('get_bot', { id: organization.owner.login })).toMatchObject(notFound);
    expect(await call('delete_bot', { id: organization.owner.login })).toMatchObject(notFound);
  });

  it('are rejected with the reason if a field is invalid', async () => {
    for (const body of [{}, { name: '' }, { name: ' ' }, { name: 'x'.repeat(201) }])
      expect(await call('create_bot', body)).toMatchObject(wrong);
    for (const more of [
      { max_chats_count: 1001 },
      { max_chats_count: -1 },
      { avatar: 'javascript:1' },
      { groups: [{ id: SALES, priority: 'supervisor' }] },
      { groups: Array(101).fill({ id: SALES }) },
    ]) {
      expect(await call('create_bot', { name: 'Robo', ...more })).toMatchObject(wrong);
      expect(await call('update_bot', { id: 'x', ...more })).toMatchObject(wrong);
    }
    expect(await call('create_bot', { name: 'Robo', groups: [{ id: 99 }] })).toMatchObject(
      errorResponse(404, 'group_not_found'),
    );
    const { id } = await create({ max_chats_count: 1000, groups: Array(100).fill({ id: SALES }) });
    expect(await call('update_bot', { id, groups: [{ id: 99 }], name: 'Never' })).toMatchObject(
      errorResponse(404, 'group_not_found'),
    );
    expect((await call('get_bot', { id })).body).toMatchObject({ name: 'Robo', groups: [{ id: SALES }] });
  });

  it('can be managed only by administrators of their organization', async () => {
    const { id, token } = await create();
    const [normal, administrator] = await Promise.all([
      buildAgent(organization),
      buildAgent(organization, { permission: 'administrator' }),
    ]);
    const robot = { apiKey: token } as TestAgent;
    const other = await buildOrganization(test);
    const bodies = {
      create_bot: { name: 'X' },
      list_bots: {},
      get_bot: { id },
      update_bot: { id, name: 'X' },
      reset_bot_token: { id },
      issue_bot_token: { bot_id: id },
      delete_bot: { id },
    };
    for (const [operation, body] of Object.entries(bodies)) {
      for (const by of [normal, robot])
        expect(await call(operation, body, by)).toMatchObject(errorResponse(403, 'authorization'));
      if ('id' in body || 'bot_id' in body) expect(await call(operation, body, other.owner)).toMatchObject(notFound);
    }
    expect((await call('list_bots', {}, other.owner)).body).toEqual([]);
    expect(await call('get_bot', { id }, administrator)).toMatchObject({ body: { id, name: 'Robo' } });
  });

  it('authenticate with their token over HTTP and over a socket', async () => {
    const { id, token } = await create();
    expect(await accept(token)).toMatchObject({ status: 200 });
    expect(await call('get_bot', { id })).toMatchObject({ body: { routing_status: 'accepting_chats' } });
    const socket = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
    const answer = await socket.request('login', { token: `Bearer ${token}` });
    expect(answer).toMatchObject({ success: true, payload: { my_profile: { id, type: 'agent', name: 'Robo' } } });
    expect((await call('issue_bot_token', { bot_id: id })).body).toEqual({ token });
    const fresh = (await call('reset_bot_token', { id })).body.token;
    expect(fresh).not.toBe(token);
    expect(await accept(token)).toMatchObject(errorResponse(401, 'authentication'));
    expect(await accept(fresh)).toMatchObject({ status: 200 });
    await socket.closed;
    expect(await call('delete_bot', { id })).toMatchObject(done);
    expect(await accept(fresh)).toMatchObject(errorResponse(401, 'authentication'));
  });

  it('get chats first in groups with bots_first; the chats of a deleted bot are assigned to human agents', async () => {
    await updateGroupRouting(organization.scope, { groupId: SALES, botsFirst: true });
    await asAgent(organization.owner, 'set_routing_status', { status: 'accepting_chats' });
    const { id, token } = await create({ groups: [{ id: SALES }] });
    await accept(token);
    const customer = await buildCustomer(organization);
    const predicted = await callAs(test, organization, customer)('get_predicted_agent', { group_id: SALES });
    expect(predicted).toMatchObject({ body: { agent: { name: 'Robo', is_bot: true, type: 'agent' }, queue: false } });
    const { chatId } = await buildChat(organization, customer, { groupIds: [SALES] });
    const assignee = async () =>
      (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
        .assigneeId;
    expect(await assignee()).toBe(id);
    await organization.scope.insert('agentGroups', { agentId: organization.owner.login, groupId: SALES }).execute();
    await call('delete_bot', { id });
    expect(await assignee()).toBe(organization.owner.login);
    const { users } = await getChat(organization.scope, { chatId });
    expect(users.find((user) => user.id === id)).toMatchObject({ name: 'Robo', present: false });
  });

  it('that are offline lose their own chats when they are deleted, but not chats assigned to other agents', async () => {
    const { id, token } = await create({ groups: [{ id: SALES }] });
    const customer = await buildCustomer(organization);
    const [own, other] = [await buildChat(organization, customer), await buildChat(organization, customer)];
    const robot = { apiKey: token };
    const target = { type: 'agent', ids: [id] };
    await asAgent(organization.owner, 'transfer_chat', { id: own.chatId, target });
    await asAgent(robot, 'add_user_to_chat', {
      chat_id: other.chatId,
      user_id: id,
      user_type: 'agent',
      visibility: 'all',
    });
    const { owner, scope } = organization;
    const inChat = async () =>
      (await scope.from('chatUsers').where('userId', '=', id).where('present', '=', true).select('chatId').execute())
        .length;
    expect(await inChat()).toBe(2);
    expect(await call('delete_bot', { id })).toMatchObject(done);
    const chats = await scope.from('chats').select('assigneeId').execute();
    expect(chats).toEqual([{ assigneeId: owner.login }, { assigneeId: owner.login }]);
    expect(await inChat()).toBe(0);
    expect(await scope.from('agentGroups').where('agentId', '=', id).select('groupId').execute()).toEqual([]);
  });

  it('can be created, updated and deleted concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => create()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(4);
    const [{ id }] = made as [{ id: string; token: string }];
    const tokens = await Promise.all([1, 2].map(() => call('reset_bot_token', { id })));
    const { token } = (await call('issue_bot_token', { bot_id: id })).body;
    expect(tokens.map(({ body }) => body.token)).toContain(token);
    const removed = await Promise.all([call('delete_bot', { id }), call('delete_bot', { id })]);
    expect(removed.map(({ status }) => status).toSorted()).toEqual([200, 404]);
  });
});
