import { beforeEach, describe, expect, it } from 'vitest';
import { verifyPassword } from '#server/domain/passwords.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const PASSWORD = 'a long password';

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let administrator: TestAgent;
let agent: TestAgent;

beforeEach(async () => {
  organization = await buildOrganization(test);
  asOwner = caller(test, organization.owner);
  await buildGroup(organization, 3, 'Sales');
  administrator = await buildAgent(organization, { permission: 'administrator' });
  agent = await buildAgent(organization, { groupIds: [3] });
});

let count = 0;
const newLogin = () => `new-${++count}@shop.test`;
const notifications = {
  new_visitor: 0,
  incoming_chat: 1,
  returning_visitor: 0,
  queued_visitor: 1,
  visitor_is_typing: 0,
  new_goal: 1,
};
const passwordOf = async (login: string) =>
  (await organization.scope.from('agents').where('id', '=', login).select('passwordHash').executeTakeFirstOrThrow())
    .passwordHash;

describe('POST /agents', () => {
  it('creates an offline agent with the documented defaults', async () => {
    const login = newLogin();
    const { status, body } = await asOwner('POST', '/agents', { login, name: 'Nina New', password: 'x7-Qz' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      login,
      name: 'Nina New',
      job_title: 'Support Agent',
      permission: 'normal',
      status: 'offline',
      login_status: 'accepting chats',
      daily_summary: 1,
      max_chats_count: 6,
      groups: [],
    });
    expect(body).not.toHaveProperty('api_key');
    expect(body).not.toHaveProperty('work_scheduler');
    expect(await verifyPassword('x7-Qz', await passwordOf(login))).toBe(true);
  });

  it('accepts every argument, as JSON and as a form in every bracket notation', async () => {
    const input = {
      name: 'Nina',
      job_title: 'Boss',
      login_status: 'not accepting chats',
      permission: 'administrator',
      daily_summary: 0,
      max_chats_count: 2,
    };
    const expected = { ...input, notifications, groups: [{ id: 3, name: 'Sales' }] };
    const json = { login: newLogin(), password: PASSWORD, ...input, notifications, groups: [3] };
    expect((await asOwner('POST', '/agents', json)).body).toMatchObject(expected);
    const flags = Object.entries(notifications).map(([key, flag]) => `notifications[${key}]=${flag}`);
    const fields = Object.entries(input).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    for (const groups of ['groups[]=3', 'groups[0]=3', 'groups%5B0%5D=3', 'groups=3']) {
      const form = [`login=${newLogin()}`, `password=${PASSWORD}`, groups, ...fields, ...flags].join('&');
      expect((await asOwner('POST', '/agents/', form)).body).toMatchObject(expected);
    }
  });

  it.each([
    ['no login', { login: undefined }],
    ['a login that is not an email address', { login: 'nina' }],
    ['no name', { name: undefined }],
    ['a blank name', { name: ' ' }],
    ['a password of four characters', { password: '1234' }],
    ['another owner', { permission: 'owner' }],
    ['five notifications', { notifications: { ...notifications, new_goal: undefined } }],
    ['a notification that is neither on nor off', { notifications: { ...notifications, new_goal: 2 } }],
    ['too many chats', { max_chats_count: 1001 }],
    ['a negative number of chats', { max_chats_count: -1 }],
    ['an invalid login status', { login_status: 'offline' }],
  ])('rejects %s', async (_, wrong) => {
    const valid = { login: newLogin(), name: 'Nina', password: PASSWORD };
    expect(await asOwner('POST', '/agents', { ...valid, ...wrong })).toMatchObject({ status: 400 });
  });

  it('rejects an unknown group and an existing login in any case', async () => {
    const valid = { login: newLogin(), name: 'Nina', password: PASSWORD };
    expect((await asOwner('POST', '/agents', { ...valid, groups: [99] })).status).toBe(404);
    expect((await asOwner('POST', '/agents', valid)).status).toBe(200);
    const again = { ...valid, login: valid.login.toUpperCase() };
    expect(await asOwner('POST', '/agents', again)).toMatchObject({ status: 400, body: { code: 400 } });
  });

  it('gives the last seat to only one of two concurrent requests', async () => {
    const { kysely } = test.context.database;
    await kysely.updateTable('organizations').where('id', '=', organization.id).set({ seats: 4 }).execute();
    const add = () => asOwner('POST', '/agents', { login: newLogin(), name: 'Nina', password: PASSWORD });
    const statuses = (await Promise.all([add(), add()])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 400]);
  });

  it('requires the owner or an administrator', async () => {
    const add = (who: TestAgent) =>
      caller(test, who)('POST', '/agents', { login: newLogin(), name: 'Nina', password: PASSWORD });
    expect((await add(administrator)).status).toBe(200);
    expect((await add(agent)).status).toBe(403);
  });
});

describe('PUT /agents/<login>', () => {
  it('updates only the given fields', async () => {
    const before = (await asOwner('GET', `/agents/${agent.login}`)).body;
    const { status, body } = await asOwner('PUT', `/agents/${agent.login}`, 'job_title=Chief&max_chats_count=0');
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, job_title: 'Chief', max_chats_count: 0 });
    const all = { name: 'Other', permission: 'administrator', groups: [], notifications, status: 'accepting chats' };
    const updated = (await asOwner('PUT', `/agents/${agent.login}`, all)).body;
    expect(updated).toMatchObject({ ...all, groups: [] });
    expect((await asOwner('PUT', `/agents/${agent.login}`, 'groups[]=3')).body.groups).toEqual([
      { id: 3, name: 'Sales' },
    ]);
    expect((await asOwner('PUT', `/agents/${agent.login}`, 'groups[]=')).body.groups).toEqual([]);
    expect((await asOwner('PUT', `/agents/${agent.login}`, {})).status).toBe(200);
  });

  it('treats null as absent', async () => {
    const left = { name: null, max_chats_count: null, daily_summary: null, notifications: null };
    const before = (await asOwner('GET', `/agents/${agent.login}`)).body;
    expect((await asOwner('PUT', `/agents/${agent.login}`, left)).body).toEqual(before);
  });

  it('allows a normal agent to change only its own profile', async () => {
    const asAgent = caller(test, agent);
    const own = `/agents/${agent.login}`;
    const mine = {
      name: 'Me',
      job_title: 'Mine',
      daily_summary: 0,
      notifications,
      login_status: 'not accepting chats',
    };
    expect(await asAgent('PUT', own, { ...mine, status: 'not accepting chats' })).toMatchObject({
      status: 200,
      body: { ...mine, status: 'not accepting chats', api_key: agent.apiKey },
    });
    for (const wrong of [
      { permission: 'administrator' },
      { groups: [3] },
      { max_chats_count: 9 },
      { work_scheduler: {} },
    ])
      expect((await asAgent('PUT', own, { name: 'Not me', ...wrong })).status).toBe(403);
    expect((await asAgent('GET', own)).body.name).toBe('Me');
    expect((await asAgent('PUT', `/agents/${administrator.login}`, { name: 'X' })).status).toBe(403);
  });

  it('requires the caller’s password to change a password', async () => {
    const asAgent = caller(test, agent);
    const own = `/agents/${agent.login}`;
    expect((await asAgent('PUT', own, { password: 'another one' })).status).toBe(400);
    const wrong = { password: 'another one', current_password: 'wrong' };
    expect((await asAgent('PUT', own, wrong)).body.message).toContain('current_password');
    expect((await asAgent('PUT', own, { password: '1234', current_password: PASSWORD })).status).toBe(400);
    const right = { password: 'another one', current_password: PASSWORD };
    expect((await asAgent('PUT', own, right)).status).toBe(200);
    expect(await verifyPassword('another one', await passwordOf(agent.login))).toBe(true);
    expect((await asAgent('PUT', own, right)).status).toBe(400);
    const byAdministrator = { password: 'a third one', current_password: PASSWORD };
    expect((await caller(test, administrator)('PUT', own, byAdministrator)).status).toBe(200);
    expect(await verifyPassword('a third one', await passwordOf(agent.login))).toBe(true);
  });

  it('limits password attempts across processes', async () => {
    await using one = await startTestApp({ beside: test, config: { rateLimits: true } });
    await using other = await startTestApp({ beside: test, config: { rateLimits: true } });
    const guess = { password: 'another one', current_password: 'wrong' };
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++)
      statuses.push((await caller(n % 2 ? one : other, agent)('PUT', `/agents/${agent.login}`, guess)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
  });

  it('protects the owner from administrators', async () => {
    const asAdministrator = caller(test, administrator);
    const owner = `/agents/${organization.owner.login}`;
    expect((await asAdministrator('PUT', owner, { permission: 'normal' })).status).toBe(403);
    expect((await asOwner('PUT', owner, { permission: 'administrator' })).status).toBe(403);
    expect((await asOwner('PUT', owner, { permission: 'owner', name: 'Olga' })).status).toBe(200);
    const password = { password: 'mine now', current_password: PASSWORD };
    expect((await asAdministrator('PUT', owner, password)).status).toBe(403);
    expect((await asAdministrator('POST', `${owner}/reset_api_key`)).status).toBe(403);
    expect((await asAdministrator('PUT', `/agents/${agent.login}`, { permission: 'owner' })).status).toBe(403);
    expect((await asAdministrator('PUT', owner, { job_title: 'Boss' })).status).toBe(200);
  });

  it('accepts work schedules only on the enterprise plan', async () => {
    const path = `/agents/${agent.login}`;
    const monday = { enabled: 1, start: '08:00', end: '16:30' };
    expect((await asOwner('PUT', path, { work_scheduler: { monday } })).status).toBe(403);
    const { kysely } = test.context.database;
    await kysely.updateTable('organizations').where('id', '=', organization.id).set({ plan: 'enterprise' }).execute();
    expect((await asOwner('GET', path)).body.work_scheduler.monday.enabled).toBe(0);
    const set = await asOwner('PUT', path, { work_scheduler: { monday } });
    expect(set.body.work_scheduler).toMatchObject({ monday, tuesday: { enabled: 0 } });
    const form =
      'work_scheduler[tuesday][enabled]=1&work_scheduler[tuesday][start]=20:00&work_scheduler[tuesday][end]=04:00';
    const both = (await asOwner('PUT', path, form)).body.work_scheduler;
    expect(both).toMatchObject({ monday, tuesday: { enabled: 1, start: '20:00', end: '04:00' } });
    expect(Object.keys(both)).toHaveLength(7);
    for (const wrong of [
      { ...monday, start: '8:00' },
      { ...monday, end: '25:00' },
      { ...monday, start: '24:00' },
      { enabled: 1 },
    ])
      expect((await asOwner('PUT', path, { work_scheduler: { monday: wrong } })).status).toBe(400);
  });

  it('returns 404 for unknown agents, bots and agents of another organization', async () => {
    const other = await buildOrganization(test);
    for (const login of [agent.login, 'nobody@shop.test'])
      expect((await caller(test, other.owner)('PUT', `/agents/${login}`, { name: 'X' })).status).toBe(404);
    expect((await asOwner('GET', `/agents/${agent.login}`)).body.name).toBe('Alma Agent');
  });

  it('keeps concurrent changes to different fields', async () => {
    const path = `/agents/${agent.login}`;
    await Promise.all([asOwner('PUT', path, { name: 'Both' }), asOwner('PUT', path, { max_chats_count: 4 })]);
    expect((await asOwner('GET', path)).body).toMatchObject({ name: 'Both', max_chats_count: 4 });
  });
});

describe('reset_api_key', () => {
  it.each(['POST', 'PUT'] as const)('by %s replaces the key and returns it only to the agent', async (method) => {
    const path = `/agents/${agent.login}/reset_api_key`;
    const { status, body } = await caller(test, agent)(method, path);
    expect(status).toBe(200);
    expect(body.api_key).not.toBe(agent.apiKey);
    expect((await caller(test, agent)('GET', '/agents')).status).toBe(401);
    const basic = `Basic ${Buffer.from(`${agent.login}:${body.api_key}`).toString('base64')}`;
    expect((await caller(test, { ...agent, basic })('GET', '/agents')).status).toBe(200);
    const byOwner = await asOwner(method, path);
    expect(byOwner).toMatchObject({ status: 200, body: { login: agent.login } });
    expect(byOwner.body).not.toHaveProperty('api_key');
    expect((await caller(test, { ...agent, basic })('GET', '/agents')).status).toBe(401);
  });

  it('is rejected for other agents', async () => {
    const path = `/agents/${administrator.login}/reset_api_key`;
    expect((await caller(test, agent)('POST', path)).status).toBe(403);
    expect((await asOwner('POST', '/agents/nobody@shop.test/reset_api_key')).status).toBe(404);
  });
});
