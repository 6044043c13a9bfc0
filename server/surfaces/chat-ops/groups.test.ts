import { beforeEach, describe, expect, it } from 'vitest';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { deactivateChat } from '#server/domain/support/chats/lifecycle/deactivate-chat.ts';
import { resumeChat } from '#server/domain/support/chats/lifecycle/resume-chat.ts';
import { updateGroupRouting } from '#server/domain/support/groups/routing-settings.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat, customerScope } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let agent: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  asOwner = caller(test, organization.owner);
  agent = await buildAgent(organization);
});

const setStatus = (login: string, status: 'accepting chats' | 'not accepting chats' | 'offline') =>
  setAgentStatus(organization.scope, { login, status });
const create = async (agents: string[] = [agent.login]) =>
  (await asOwner('POST', '/groups', { name: 'Sales', agents })).body.id as number;
const chatRow = (id: string) =>
  organization.scope.from('chats').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

describe('GET /groups', () => {
  it('lists the built-in group without its agents', async () => {
    const built = { id: 0, name: 'All agents', language: 'en', status: 'offline' };
    expect((await caller(test, agent)('GET', '/groups')).body).toEqual([built]);
    expect((await asOwner('GET', '/groups/0/')).body).toEqual(built);
  });

  it('returns the status of each group', async () => {
    const id = await create();
    const statusOf = async (group: number) => (await asOwner('GET', `/groups/${group}`)).body.status;
    await setStatus(organization.owner.login, 'accepting chats');
    expect([await statusOf(id), await statusOf(0)]).toEqual(['offline', 'accepting chats']);
    await setStatus(agent.login, 'not accepting chats');
    expect(await statusOf(id)).toBe('not accepting chats');
    await setStatus(agent.login, 'accepting chats');
    expect(await statusOf(id)).toBe('accepting chats');
  });

  it('rejects unknown group ids', async () => {
    for (const id of ['99', '-1', 'x', '2147483648'])
      expect([400, 404]).toContain((await asOwner('GET', `/groups/${id}`)).status);
  });
});

describe('POST /groups', () => {
  it('creates a group with agents, as JSON and as a form', async () => {
    const expected = { name: 'Sales', language: 'pl', agents: [agent.login], status: 'offline' };
    const json = await asOwner('POST', '/groups', {
      name: 'Sales',
      language: 'pl',
      agents: [agent.login.toUpperCase()],
    });
    expect(json).toEqual({ status: 200, body: { id: 1, ...expected } });
    const forms = [`agents[]=${agent.login}`, `agents[0]=${agent.login}`, `agents=${agent.login}`];
    for (const [n, agents] of forms.entries())
      expect((await asOwner('POST', '/groups', `name=Sales&language=pl&${agents}`)).body).toEqual({
        id: n + 2,
        ...expected,
      });
    expect((await asOwner('GET', `/agents/${agent.login}`)).body.groups).toHaveLength(4);
  });

  it('creates a group without agents', async () => {
    expect((await asOwner('POST', '/groups', { name: 'Empty', agents: [] })).body.agents).toEqual([]);
    expect((await asOwner('POST', '/groups', 'name=Empty&agents[]=')).body.agents).toEqual([]);
  });

  it.each([
    ['no name', { agents: [] }],
    ['no agents', { name: 'Sales' }],
    ['an unknown agent', { name: 'Sales', agents: ['nobody@shop.test'] }],
    ['an invalid language', { name: 'Sales', agents: [], language: 'the Queen’s' }],
  ])('rejects %s', async (_, body) => {
    expect((await asOwner('POST', '/groups', body)).status).toBe(400);
    expect((await asOwner('GET', '/groups')).body).toHaveLength(1);
  });

  it('rejects another organization’s agents and normal agents', async () => {
    const other = await buildOrganization(test);
    expect((await asOwner('POST', '/groups', { name: 'X', agents: [other.owner.login] })).status).toBe(400);
    expect((await caller(test, agent)('POST', '/groups', { name: 'X', agents: [] })).status).toBe(403);
  });

  it('assigns different ids in concurrent requests', async () => {
    expect((await Promise.all([create(), create()])).toSorted()).toEqual([1, 2]);
  });
});

describe('PUT /groups/<id>', () => {
  it('updates only the given fields; given agents replace all existing ones', async () => {
    const id = await create();
    expect((await asOwner('PUT', `/groups/${id}`, 'name=Other')).body).toMatchObject({
      name: 'Other',
      agents: [agent.login],
    });
    const put = await asOwner('PUT', `/groups/${id}`, { agents: [organization.owner.login], language: 'DE' });
    expect(put.body).toMatchObject({ name: 'Other', agents: [organization.owner.login], language: 'de' });
    expect((await asOwner('PUT', `/groups/${id}`, 'agents[]=')).body.agents).toEqual([]);
  });

  it('assigns waiting chats to a new agent of the group', async () => {
    const id = await create([]);
    await setStatus(agent.login, 'accepting chats');
    const { chatId } = await buildChat(organization, await buildCustomer(organization), {
      groupIds: [id],
      continuous: true,
    });
    expect((await chatRow(chatId)).assigneeId).toBeNull();
    await asOwner('PUT', `/groups/${id}`, { agents: [agent.login] });
    expect((await chatRow(chatId)).assigneeId).toBe(agent.login);
  });

  it('rejects changes to the built-in group, and unauthorized agents', async () => {
    const id = await create();
    expect((await asOwner('PUT', '/groups/0', { name: 'X' })).status).toBe(403);
    expect((await asOwner('PUT', '/groups/99', { name: 'X' })).status).toBe(404);
    expect((await caller(test, agent)('PUT', `/groups/${id}`, { name: 'X' })).status).toBe(403);
    const other = await buildOrganization(test);
    expect((await caller(test, other.owner)('PUT', `/groups/${id}`, { name: 'X' })).status).toBe(404);
    expect((await asOwner('GET', `/groups/${id}`)).body.name).toBe('Sales');
  });
});

describe('DELETE /groups/<id>', () => {
  it('moves its open chats to their other groups or group 0, and assigns waiting ones', async () => {
    const id = await create();
    const other = await create([]);
    const start = async (groupIds: number[]) =>
      (await buildChat(organization, await buildCustomer(organization), { groupIds, continuous: true })).chatId;
    const [waiting, shared] = [await start([id]), await start([id, other])];
    const input = { message: 'Help', requester: { mail: 'ann@mail.test' }, group: [id] };
    const ticket = await asOwner('POST', '/tickets', input);
    await setStatus(organization.owner.login, 'accepting chats');
    expect((await chatRow(waiting)).assigneeId).toBeNull();
    expect((await asOwner('DELETE', `/groups/${id}`)).body).toEqual({ result: 'Group removed successfully' });
    expect(await chatRow(waiting)).toMatchObject({ groupIds: [0], assigneeId: organization.owner.login });
    expect(await chatRow(shared)).toMatchObject({ groupIds: [other], assigneeId: null });
    expect((await asOwner('GET', `/tickets/${ticket.body.id}`)).body.groups).toEqual([0]);
  });

  it('removes all references to the group, and its id is not reused', async () => {
    const id = await create();
    const other = await create([]);
    await updateGroupRouting(organization.scope, { groupId: other, fallbackGroupId: id });
    await asOwner('POST', '/canned_responses', { text: 'Hi', tags: ['hi'], group: id });
    await asOwner('POST', '/tags', { author: agent.login, tag: 'vip', group: id });
    await asOwner('POST', '/greetings', { name: 'Hi', rules: [], group: id });
    await asOwner('DELETE', `/groups/${id}`);
    expect((await asOwner('GET', `/groups/${id}`)).status).toBe(404);
    expect((await asOwner('GET', `/status/${id}`)).status).toBe(404);
    expect((await asOwner('GET', '/groups')).body.map((group: { id: number }) => group.id)).toEqual([0, other]);
    expect((await asOwner('GET', `/agents/${agent.login}`)).body.groups).toEqual([]);
    expect((await asOwner('GET', '/tags')).body).toEqual([]);
    expect((await asOwner('GET', '/greetings')).body).toEqual([]);
    expect((await asOwner('GET', '/canned_responses/1')).status).toBe(404);
    expect((await asOwner('PUT', `/agents/${agent.login}`, { groups: [id] })).status).toBe(404);
    const { fallbackGroupId } = await organization.scope
      .from('groups')
      .where('id', '=', other)
      .select('fallbackGroupId')
      .executeTakeFirstOrThrow();
    expect(fallbackGroupId).toBeNull();
    expect(await create()).toBe(other + 1);
  });

  it('allows an agent to resume a chat of the deleted group', async () => {
    const id = await create();
    const customer = await buildCustomer(organization);
    const { chatId } = await buildChat(organization, customer, { groupIds: [id], continuous: true });
    await deactivateChat(customerScope(organization, customer), { chatId });
    await asOwner('DELETE', `/groups/${id}`);
    await resumeChat(agentScope(organization, organization.owner, 'owner'), { chatId, events: [], active: true });
    expect((await chatRow(chatId)).groupIds).toEqual([0]);
  });

  it('rejects deleting the built-in group, and requires an administrator of the account', async () => {
    const id = await create();
    expect((await asOwner('DELETE', '/groups/0')).status).toBe(403);
    expect((await caller(test, agent)('DELETE', `/groups/${id}`)).status).toBe(403);
    const other = await buildOrganization(test);
    expect((await caller(test, other.owner)('DELETE', `/groups/${id}`)).status).toBe(404);
    const remove = () => asOwner('DELETE', `/groups/${id}`);
    const statuses = (await Promise.all([remove(), remove()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 404]);
  });
});

describe('GET /status', () => {
  it('returns whether an agent is accepting chats, in all groups or in one', async () => {
    const id = await create();
    const ask = async (url: string) => (await caller(test, agent)('GET', url)).body;
    expect(await ask('/status')).toEqual({ status: 'offline' });
    await setStatus(organization.owner.login, 'accepting chats');
    expect(await ask('/status')).toEqual({ status: 'online' });
    expect(await ask('/status?group=0')).toEqual({ status: 'online' });
    for (const url of [`/status?group=${id}`, `/status/${id}`, `/status/${id}/`])
      expect(await ask(url)).toEqual({ status: 'offline' });
    await setStatus(agent.login, 'accepting chats');
    expect(await ask(`/status/${id}`)).toEqual({ status: 'online' });
  });

  it('is online if all agents are at their limit, because visitors can wait in the queue', async () => {
    await asOwner('PUT', `/agents/${organization.owner.login}`, { max_chats_count: 0, status: 'accepting chats' });
    expect((await asOwner('GET', '/status')).body).toEqual({ status: 'online' });
  });

  it('rejects groups that do not exist', async () => {
    expect((await asOwner('GET', '/status?group=9')).status).toBe(404);
    expect((await asOwner('GET', '/status/x')).status).toBe(400);
  });
});
