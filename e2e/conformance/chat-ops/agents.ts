import { describe, expect, it } from 'vitest';
import { callAs, expectError, type Json, newAddress, newShop, PASSWORD, signIn } from './index.ts';
import { mailbox, target } from './target.ts';

const ownServer = !process.env.PARLEY_URL;

const everyNotification = {
  ...{ new_visitor: 1, incoming_chat: 1, returning_visitor: 0, queued_visitor: 0 },
  ...{ visitor_is_typing: 1, new_goal: 0 },
};

const agentShape = {
  login: expect.stringContaining('@'),
  name: expect.any(String),
  job_title: expect.any(String),
  avatar: expect.any(String),
  permission: expect.stringMatching(/^(owner|administrator|normal)$/),
  login_status: expect.stringMatching(/^(not )?accepting chats$/),
  status: expect.stringMatching(/^((not )?accepting chats|offline)$/),
  daily_summary: expect.any(Number),
  notifications: expect.objectContaining({ new_visitor: expect.any(Number), new_goal: expect.any(Number) }),
  max_chats_count: expect.any(Number),
  groups: expect.any(Array),
  last_logout: expect.any(Number),
};

describe('agents', async () => {
  const shop = await newShop(target);
  const { owner } = shop;
  const administrator = await shop.addAgent('Adam', { permission: 'administrator' });
  const normalAgent = await shop.addAgent('Norma');

  it('GET /agents lists agents', async () => {
    const agents = await owner.ok('GET', '/agents');
    expect(agents.map(({ login }: Json) => login)).toEqual(
      expect.arrayContaining([owner.login, administrator.login, normalAgent.login]),
    );
    for (const one of agents)
      expect(Object.keys(one).toSorted()).toEqual(['avatar', 'login', 'name', 'permission', 'status']);
    await owner.ok('PUT', `/agents/${normalAgent.login}`, { status: 'accepting chats' });
    const accepting = await owner.ok('GET', '/agents?status=accepting%20chats');
    expect(accepting.map(({ login }: Json) => login)).toEqual([normalAgent.login]);
    expectError(await owner.sendRequest('GET', '/agents?status=asleep'), 400);
  });

  it('GET /agents/<LOGIN> returns one agent', async () => {
    expect(await owner.ok('GET', `/agents/${owner.login}`)).toEqual({ ...agentShape, api_key: owner.key });
    expect(await owner.ok('GET', `/agents/${owner.login}`)).toMatchObject({ permission: 'owner', name: 'Olga' });
    for (const reader of [owner, administrator])
      expect(await reader.ok('GET', `/agents/${normalAgent.login}`)).toEqual(agentShape);
    expect(await normalAgent.ok('GET', `/agents/${normalAgent.login}`)).toMatchObject({ api_key: normalAgent.key });
    expectError(await owner.sendRequest('GET', '/agents/nobody@shop.test'), 404);
  });

  it('POST /agents applies defaults', async () => {
    const login = newAddress('Dora');
    expect(await owner.ok('POST', '/agents', { login, name: 'Dora', password: 'x7-Qz' })).toMatchObject({
      ...agentShape,
      ...{ login, name: 'Dora', job_title: 'Support Agent', permission: 'normal', status: 'offline' },
      ...{ daily_summary: 1, max_chats_count: 6, login_status: 'accepting chats' },
    });
  });

  it('POST /agents accepts every argument', async () => {
    const { id } = await owner.ok('POST', '/groups', { name: 'Sales', agents: [] });
    const input = {
      ...{ login: newAddress('Ed'), name: 'Ed', job_title: 'Seller', login_status: 'not accepting chats' },
      ...{ permission: 'administrator', notifications: everyNotification, daily_summary: 0, max_chats_count: 3 },
    };
    const made = await owner.ok('POST', '/agents', { ...input, password: PASSWORD, groups: [id] });
    expect(made).toMatchObject(input);
    expect(made.groups).toEqual(expect.arrayContaining([{ id, name: 'Sales' }]));
  });

  it.each([
    ['no login', { name: 'X' }],
    ['no name', { login: newAddress('x') }],
    ['a login that is not an email address', { login: 'x', name: 'X' }],
    ['a short password', { login: newAddress('x'), name: 'X', password: '1234' }],
    ['a second owner', { login: newAddress('x'), name: 'X', password: PASSWORD, permission: 'owner' }],
    ['some notifications', { login: newAddress('x'), name: 'X', password: PASSWORD, notifications: { new_goal: 1 } }],
    ['an unknown group', { login: newAddress('x'), name: 'X', password: PASSWORD, groups: [4711] }],
  ])('POST /agents rejects %s', async (_, body) => {
    const before = await owner.ok('GET', '/agents');
    expect((await owner.sendRequest('POST', '/agents', body)).status).toBeGreaterThanOrEqual(400);
    expect(await owner.ok('GET', '/agents')).toEqual(before);
  });

  it.runIf(ownServer)('POST /agents without a password sends an activation email', async () => {
    const login = newAddress('Mia');
    expect(await owner.ok('POST', '/agents', { login, name: 'Mia' })).toMatchObject({ login, status: 'offline' });
    expect(await mailbox.mailTo(login)).toMatch(/https?:/);
  });

  it('PUT /agents/<LOGIN> keeps fields that are left out', async () => {
    const other = await shop.addAgent('Paul');
    const before = await owner.ok('GET', `/agents/${other.login}`);
    const changes: Json[] = [
      ...[{ job_title: 'Boss' }, { name: 'Paula' }, { login_status: 'not accepting chats' }],
      ...[{ permission: 'administrator' }, { status: 'not accepting chats' }, { notifications: everyNotification }],
      ...[{ daily_summary: 0 }, { max_chats_count: 9 }],
    ];
    let expected = before;
    for (const change of changes) {
      expected = { ...expected, ...change };
      expect(await administrator.ok('PUT', `/agents/${other.login}`, change)).toEqual(expected);
    }
    expect(await owner.ok('GET', `/agents/${other.login}`)).toEqual(expected);
  });

  it('PUT /agents/<LOGIN> lets an agent change their own profile', async () => {
    const self = await shop.addAgent('Selma');
    const path = `/agents/${self.login}`;
    const own = {
      ...{ name: 'Selma S.', job_title: 'Expert', daily_summary: 0, notifications: everyNotification },
      ...{ login_status: 'not accepting chats', status: 'accepting chats' },
    };
    expect(await self.ok('PUT', path, own)).toMatchObject(own);
    for (const rejected of [{ permission: 'administrator' }, { max_chats_count: 99 }, { groups: [0] }])
      expectError(await self.sendRequest('PUT', path, { ...rejected, name: 'Other' }), 403);
    expect(await self.ok('GET', path)).toMatchObject({ name: 'Selma S.', permission: 'normal', max_chats_count: 6 });
  });

  it('PUT /agents/<LOGIN> requires current_password to change any password', async () => {
    const self = await shop.addAgent('Vera');
    const path = `/agents/${self.login}`;
    const [first, second] = ['the next password', 'the one after'];
    expectError(await self.sendRequest('PUT', path, { password: first }), 400);
    expectError(await self.sendRequest('PUT', path, { password: first, current_password: 'wrong' }), 400);
    await self.ok('PUT', path, { password: first, current_password: PASSWORD });
    await signIn(target.url, self.login, first);
    expectError(await owner.sendRequest('PUT', path, { password: second }), 400);
    await owner.ok('PUT', path, { password: second, current_password: PASSWORD });
    await signIn(target.url, self.login, second);
  });

  it('work_scheduler is available only in the enterprise plan', async () => {
    const week = { monday: { enabled: 1, start: '09:00', end: '17:00' } };
    expectError(await owner.sendRequest('PUT', `/agents/${normalAgent.login}`, { work_scheduler: week }), 403);
    const large = await newShop(target, 'enterprise');
    const agent = await large.addAgent('Emil');
    const { work_scheduler } = await large.owner.ok('PUT', `/agents/${agent.login}`, { work_scheduler: week });
    expect(work_scheduler.monday).toEqual(week.monday);
    expect(Object.keys(work_scheduler).toSorted()).toEqual(
      ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].toSorted(),
    );
  });

  it('POST /agents/<LOGIN>/reset_api_key replaces the API key', async () => {
    const self = await shop.addAgent('Kim');
    const path = `/agents/${self.login}/reset_api_key`;
    const { api_key } = await self.ok('POST', path);
    expect(api_key).not.toBe(self.key);
    expectError(await self.sendRequest('GET', '/agents'), 401);
    const bearer = { authorization: `Bearer ${api_key}` };
    const again = await callAs(target.url, bearer, 'PUT', path);
    expect(again).toMatchObject({ status: 200, body: { login: self.login, api_key: expect.any(String) } });
    const byAnother = await owner.ok('POST', path);
    expect(byAnother).toEqual(agentShape);
  });

  it('DELETE /agents/<LOGIN> deletes an agent', async () => {
    const leaver = await shop.addAgent('Leo');
    expect(await owner.ok('DELETE', `/agents/${leaver.login}`)).toEqual({ result: expect.stringMatching(/\S/) });
    expectError(await owner.sendRequest('GET', `/agents/${leaver.login}`), 404);
    expectError(await leaver.sendRequest('GET', '/agents'), 401);
    expectError(await owner.sendRequest('DELETE', `/agents/${leaver.login}`), 404);
    if (ownServer) expect(await mailbox.mailTo(leaver.login)).toContain('Subject:');
  });

  it('the owner can be neither deleted nor demoted', async () => {
    const path = `/agents/${owner.login}`;
    for (const who of [owner, administrator]) {
      expectError(await who.sendRequest('DELETE', path), 403);
      expectError(await who.sendRequest('PUT', path, { permission: 'normal' }), 403);
    }
    expect(await owner.ok('GET', path)).toMatchObject({ permission: 'owner' });
  });
});

describe('groups and status', async () => {
  const shop = await newShop(target);
  const { owner } = shop;
  const [alma, bert] = [await shop.addAgent('Alma'), await shop.addAgent('Bert')];
  const group = await owner.ok('POST', '/groups', { name: 'Sales', agents: [alma.login, bert.login] });
  const setStatus = ({ login }: { login: string }, status: string) => owner.ok('PUT', `/agents/${login}`, { status });

  it('POST /groups creates a group', async () => {
    expect(group).toEqual({
      ...{ id: expect.any(Number), name: 'Sales', language: 'en', status: 'offline' },
      agents: expect.arrayContaining([alma.login, bert.login]),
    });
    const polish = await owner.ok('POST', '/groups', { name: 'Sprzedaż', agents: [], language: 'pl' });
    expect(polish).toMatchObject({ name: 'Sprzedaż', language: 'pl', agents: [] });
    expectError(await owner.sendRequest('POST', '/groups', { agents: [] }), 400);
    expectError(await owner.sendRequest('POST', '/groups', { name: 'X' }), 400);
    expect((await owner.sendRequest('POST', '/groups', { name: 'X', agents: ['nobody@shop.test'] })).status).not.toBe(
      200,
    );
  });

  it('GET /groups lists groups', async () => {
    const groups = await owner.ok('GET', '/groups');
    const [builtIn, ...others] = groups.toSorted((a: Json, b: Json) => a.id - b.id);
    expect(builtIn).toMatchObject({ id: 0, language: expect.any(String) });
    expect(builtIn).not.toHaveProperty('agents');
    expect(others).toContainEqual(group);
  });

  it('GET /groups/<GROUP_ID> and GET /status return the group and its status', async () => {
    const { id } = group;
    const look = async () => [
      (await owner.ok('GET', `/groups/${id}`)).status,
      await owner.ok('GET', `/status?group=${id}`),
      await owner.ok('GET', `/status/${id}`),
    ];
    const [online, offline] = [{ status: 'online' }, { status: 'offline' }];
    expect(await look()).toEqual(['offline', offline, offline]);
    await setStatus(alma, 'not accepting chats');
    expect(await look()).toEqual(['not accepting chats', offline, offline]);
    await setStatus(bert, 'accepting chats');
    expect(await look()).toEqual(['accepting chats', online, online]);
    expect(await owner.ok('GET', '/status')).toEqual(online);
    expect(await owner.ok('GET', '/status?group=0')).toEqual(online);
    await setStatus(bert, 'offline');
    await setStatus(alma, 'offline');
    expect(await look()).toEqual(['offline', offline, offline]);
    expect(await owner.ok('GET', '/status')).toEqual(offline);
    expectError(await owner.sendRequest('GET', '/groups/4711'), 404);
    expectError(await owner.sendRequest('GET', '/status?group=4711'), 404);
  });

  it('PUT /groups/<GROUP_ID> updates a group', async () => {
    const path = `/groups/${group.id}`;
    expect(await owner.ok('PUT', path, { name: 'Sellers' })).toMatchObject({
      ...group,
      name: 'Sellers',
      agents: expect.any(Array),
    });
    expect(await owner.ok('PUT', path, { language: 'de' })).toMatchObject({ name: 'Sellers', language: 'de' });
    expect(await owner.ok('PUT', path, { agents: [bert.login] })).toMatchObject({ agents: [bert.login] });
    expect((await owner.ok('GET', `/agents/${alma.login}`)).groups.map(({ id }: Json) => id)).not.toContain(group.id);
  });

  it('DELETE /groups/<GROUP_ID> deletes a group', async () => {
    expect(await owner.ok('DELETE', `/groups/${group.id}`)).toEqual({ result: expect.stringMatching(/\S/) });
    expectError(await owner.sendRequest('GET', `/groups/${group.id}`), 404);
  });

  it('group 0 cannot be modified', async () => {
    expectError(await owner.sendRequest('PUT', '/groups/0', { name: 'Nobody' }), 403);
    expectError(await owner.sendRequest('DELETE', '/groups/0'), 403);
  });
});
