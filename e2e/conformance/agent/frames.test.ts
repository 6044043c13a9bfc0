import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { expectError, type Json } from '../customer/call.ts';
import { basic, createAgent } from './agent-client.ts';
import { itWithDatabase, newTeam, openChat, openTarget } from './index.ts';
import { openSocket } from './socket.ts';

const target = await openTarget();
afterAll(target.close);
const { owner, ...team } = await newTeam(target);
const bot = await team.bot('Robbie');

const address = `${target.url}/v3.5/agent/rtm/ws`;
const token = `Bearer ${owner.key}`;
const failure = (type: string) => ({ type: 'response', success: false, payload: { error: { type } } });

describe('credentials', () => {
  const callWith = (authorization: string, query = {}) =>
    owner.call('list_routing_statuses', {}, { headers: { authorization }, query });

  it.each([
    ['an API key', () => token],
    ['a login and its API key', () => basic(owner.id, owner.key)],
    ['a login in upper case', () => basic(owner.id.toUpperCase(), owner.key)],
    ['a bot’s token', () => `Bearer ${bot.key}`],
  ])('%s is accepted over HTTP and at login', async (_, credential) => {
    expect(await callWith(credential())).toMatchObject({ status: 200 });
    expect(await callWith(credential(), { organization_id: team.id })).toMatchObject({ status: 200 });
    const socket = await openSocket(address);
    expect(await socket.request('login', { token: credential(), away: true })).toMatchObject({ success: true });
    socket.close();
  });

  it.each([
    ['nothing', () => ''],
    ['a key without a scheme', () => owner.key],
    ['a wrong key', () => 'Bearer dal-no-such-key'],
    ['a wrong key for a login', () => basic(owner.id, 'dal-no-such-key')],
    ['another agent’s key', () => basic(owner.id, bot.key)],
    ['a customer’s token', async () => `Bearer ${(await team.customer()).token}`],
  ])('%s is rejected over HTTP and at login', async (_, credential) => {
    expectError(await callWith(await credential()), 'authentication');
    const socket = await openSocket(address);
    expect(await socket.request('login', { token: await credential() })).toMatchObject(failure('authentication'));
    socket.close();
  });

  it('a key is rejected for another organization', async () => {
    const other = await newTeam(target);
    expectError(await callWith(token, { organization_id: other.id }), 'authentication');
    const socket = await openSocket(`${address}?organization_id=${other.id}`);
    expect(await socket.request('login', { token })).toMatchObject(failure('authentication'));
    socket.close();
  });

  it('a key of another region is answered with misdirected_request', async () => {
    const { status, body } = await callWith('Bearer fra-elsewhere');
    expect({ status, error: body.error }).toMatchObject({
      status: 421,
      error: { type: 'misdirected_request', data: { region: 'fra' } },
    });
  });
});

describe('requests', () => {
  it.each<[string, string, Record<string, string>]>([
    ['the version in the URL', '/v3.5/agent/action/list_chats', {}],
    ['the version in a header', '/agent/action/list_chats', { 'x-api-version': '3.5' }],
    ['a trailing slash', '/v3.5/agent/action/list_chats/', {}],
  ])('a request may have %s', async (_, path, headers) => {
    expect(await owner.call('list_chats', {}, { path, headers })).toMatchObject({ status: 200 });
  });

  it('a request with another version, another method, an unknown operation or invalid JSON is rejected', async () => {
    expectError(await owner.call('', {}, { path: '/v3.4/agent/action/list_chats' }), 'unsupported_version');
    expectError(await owner.call('list_everything'), 'not_found');
    expect(await owner.call('list_chats', {}, { method: 'GET' })).toMatchObject({ status: 405 });
    expectError(await owner.call('list_chats', {}, { raw: '{' }), 'validation');
    expectError(await owner.call('get_chat', {}), 'validation');
  });
});

describe('socket frames', () => {
  it('a ping without a payload is answered before and after login', async () => {
    const socket = await openSocket(address);
    socket.send({ action: 'ping' });
    expect(await socket.next(({ action }) => action === 'ping')).toEqual({
      ...{ action: 'ping', type: 'response', success: true, payload: {} },
    });
    expect(await socket.request('login', { token, away: true })).toMatchObject({ success: true });
    expect(await socket.request('ping')).toMatchObject({ action: 'ping', success: true, payload: {} });
    socket.close();
  });

  it('control pings are answered before and after login', async () => {
    const socket = await openSocket(address);
    const pinged = async (data: string) => {
      socket.socket.ping(data);
      expect(String((await once(socket.socket, 'pong'))[0])).toBe(data);
    };
    await pinged('early');
    await socket.ok('login', { token, away: true });
    await pinged('late');
    socket.close();
  });

  it('version, organization, payload and request id are optional, and a bot may be the author', async () => {
    const socket = await openSocket(`${address}?organization_id=${team.id}`);
    await socket.ok('login', { token: `Bearer ${bot.key}`, away: true });
    expect(await socket.request('list_chats', {}, { version: '3.5', author_id: bot.id })).toMatchObject({
      success: true,
    });
    expect(await socket.request('list_chats')).toMatchObject({ success: true });
    expect(await socket.request('list_chats', {}, { request_id: 5 })).toMatchObject({ request_id: 5 });
    socket.send({ action: 'list_routing_statuses' });
    const response = await socket.next(({ action }) => action === 'list_routing_statuses');
    expect(response).not.toHaveProperty('request_id');
    expect(response.payload).toEqual(expect.any(Array));
    socket.close();
  });

  it('frames before login, in another version, for an unknown action or with invalid JSON are rejected', async () => {
    const socket = await openSocket(address);
    expect(await socket.request('list_chats')).toMatchObject(failure('authentication'));
    await socket.ok('login', { token, away: true });
    expect(await socket.request('login', { token })).toMatchObject(failure('validation'));
    expect(await socket.request('list_chats', {}, { version: '3.4' })).toMatchObject(failure('unsupported_version'));
    expect(await socket.request('fly')).toMatchObject({ ...failure('validation'), action: 'fly' });
    expect(await socket.request('get_chat', {})).toMatchObject(failure('validation'));
    expect(await socket.request('upload_file', {})).toMatchObject({ success: false });
    socket.socket.send('{"action":');
    expect(await socket.next(({ action }) => action === '')).toMatchObject(failure('validation'));
    socket.close();
  });

  it('requests beyond ten pending ones are rejected', async () => {
    const socket = await owner.logIn();
    for (let sent = 0; sent < 40; sent++) socket.send({ request_id: sent, action: 'list_archives', payload: {} });
    const responses: Json[] = [];
    while (responses.length < 40) responses.push(await socket.next(({ action }) => action === 'list_archives'));
    const rejected = responses.filter(({ success }) => !success);
    expect(rejected.length).toBeGreaterThan(0);
    for (const response of rejected) expect(response).toMatchObject(failure('pending_requests_limit_reached'));
    socket.close();
  });
});

describe('login', () => {
  it('login returns the license, the agent’s own profile and the chats', async () => {
    const { chat_id } = await openChat(await team.customer());
    const { welcome, close } = await owner.logIn();
    expect(welcome).toMatchObject({
      license: {
        ...{ id: expect.any(Number), organization_id: team.id, plan: expect.any(String) },
        ...{ creation_timestamp: expect.any(Number), in_trial: expect.any(Boolean) },
      },
      my_profile: {
        ...{ id: owner.id, type: 'agent', name: 'Olga', email: owner.id, permission: 'owner', present: true },
        ...{ avatar: expect.any(String), job_title: expect.any(String), routing_status: 'offline' },
      },
    });
    expect(welcome.license).toHaveProperty(welcome.license.in_trial ? 'expiration_timestamp' : 'in_trial');
    expect(welcome.chats_summary).toContainEqual(
      expect.objectContaining({ id: chat_id, active: true, last_event_per_type: expect.any(Object) }),
    );
    close();
  });

  itWithDatabase(target)('login is possible with an expired license, for reading', async () => {
    const ended = await newTeam(target);
    const { chat_id } = await openChat(await ended.customer());
    const latecomer = await ended.customer();
    await target.runSql!(`update organizations set status = 'expired' where id = $1`, [ended.id]);
    const socket = await ended.owner.logIn({});
    expect(socket.welcome).toMatchObject({ my_profile: { routing_status: 'not_accepting_chats' } });
    expect(await socket.request('get_chat', { chat_id })).toMatchObject({ success: true });
    expect(await socket.request('set_away_status', { away: true })).toMatchObject({ success: true });
    const event = { type: 'message', text: 'too late' };
    expect(await socket.request('send_event', { chat_id, event })).toMatchObject(failure('license_expired'));
    expectError(await latecomer.call('start_chat'), 'license_expired');
    expect(await socket.request('logout')).toMatchObject({ success: true });
    await socket.closed;
  });

  it('resetting the API key disconnects its sockets with agent_disconnected', async () => {
    const doomed = await team.bot('Doomed');
    const socket = await doomed.logIn();
    const { body } = await owner.configure('reset_bot_token', { id: doomed.id });
    expect(await socket.push('agent_disconnected')).toEqual({ reason: 'access_token_revoked' });
    await socket.closed;
    expectError(await doomed.call('list_chats'), 'authentication');
    await createAgent(target.url, { ...doomed, key: body.token }).ok('list_chats');
  });
});
