import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildGroup,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import {
  callAgent,
  changesOf,
  countConnections,
  listen,
  logIn,
  nextPush,
  statusOf,
} from '../../testing/builders/presence.ts';

const SALES = 7;

let test: TestApp;
let other: TestApp;
let organization: TestOrganization;
let alma: TestAgent;
let bob: TestAgent;

beforeAll(async () => {
  test = await listen(await startTestApp());
  other = await listen(await startTestApp({ beside: test }));
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await test[Symbol.asyncDispose]();
});
beforeEach(async () => {
  organization = await buildOrganization(test, { online: false });
  await buildGroup(organization, SALES);
  alma = await buildAgent(organization, { groupIds: [SALES] });
  bob = await buildAgent(organization);
});

const errorResponse = (status: number, type: string) => ({ status, body: { error: { type } } });

describe('set_routing_status', () => {
  it('is stored with its reason and pushed to all agents', async () => {
    const watching = await logIn(test, organization.owner);
    await nextPush(watching, 'routing_status_set');
    const call = callAgent(test, alma);
    expect(await call('set_routing_status', { status: 'accepting_chats' })).toEqual({ status: 200, body: {} });
    expect(await nextPush(watching, 'routing_status_set')).toMatchObject({
      payload: { agent_id: alma.login, status: 'accepting_chats' },
    });
    await call('set_routing_status', { status: 'accepting_chats', agent_id: alma.login.toUpperCase() });
    await call('set_routing_status', { status: 'not_accepting_chats', agent_id: null });
    await call('set_routing_status', { status: 'offline' });
    expect(await changesOf(organization, alma)).toEqual([
      { status: 'accepting chats', reason: 'manual' },
      { status: 'not accepting chats', reason: 'manual' },
      { status: 'offline', reason: 'signed_out' },
    ]);
    await watching.close();
  });

  it('includes the request id in the push to the requester’s socket', async () => {
    const client = await logIn(test, alma);
    await nextPush(client, 'routing_status_set');
    await client.request('set_routing_status', { status: 'not_accepting_chats' }, { request_id: 'r' });
    expect(await nextPush(client, 'routing_status_set')).toMatchObject({ request_id: 'r' });
    await client.close();
  });

  it('can be set for other agents by administrators only', async () => {
    const wanted = { status: 'accepting_chats', agent_id: alma.login };
    expect(await callAgent(test, bob)('set_routing_status', wanted)).toMatchObject(errorResponse(403, 'authorization'));
    expect(await callAgent(test, organization.owner)('set_routing_status', wanted)).toMatchObject({ status: 200 });
    expect(await statusOf(organization, alma)).toBe('accepting chats');
    await callAgent(test, organization.owner)('set_routing_status', { ...wanted, status: 'offline' });
    expect((await changesOf(organization, alma)).at(-1)).toMatchObject({ reason: 'remotely_signed_out' });
  });

  it('does not find agents of other organizations', async () => {
    const stranger = await buildOrganization(test);
    const call = callAgent(test, stranger.owner);
    for (const agent_id of [alma.login, 'nobody@shop.test'])
      expect(await call('set_routing_status', { status: 'offline', agent_id })).toMatchObject(
        errorResponse(404, 'not_found'),
      );
  });

  it('rejects invalid statuses', async () => {
    const call = callAgent(test, alma);
    for (const body of [{}, { status: 'accepting chats' }, { status: 'busy' }, { status: null }])
      expect(await call('set_routing_status', body)).toMatchObject(errorResponse(400, 'validation'));
  });

  it('`not accepting` keeps the agent’s chats, `offline` reassigns them, and `accepting` assigns queued chats', async () => {
    const customer = await buildCustomer(organization);
    await callAgent(test, alma)('set_routing_status', { status: 'accepting_chats' });
    const { chatId } = await buildChat(organization, customer, { texts: ['Hello'] });
    const assignee = async () =>
      (await organization.scope.from('chats').where('id', '=', chatId).select('assigneeId').executeTakeFirstOrThrow())
        .assigneeId;
    await callAgent(test, alma)('set_routing_status', { status: 'not_accepting_chats' });
    expect(await assignee()).toBe(alma.login);
    await callAgent(test, alma)('set_routing_status', { status: 'offline' });
    expect(await assignee()).toBeNull();
    await callAgent(other, bob)('set_routing_status', { status: 'accepting_chats' });
    expect(await assignee()).toBe(bob.login);
  });
});

describe('list_routing_statuses', () => {
  it('lists all agents or those of some groups, also over a socket', async () => {
    const call = callAgent(test, bob);
    await callAgent(test, alma)('set_routing_status', { status: 'not_accepting_chats' });
    const ofAlma = { agent_id: alma.login, status: 'not_accepting_chats' };
    const all = (await call('list_routing_statuses')).body;
    expect(all).toHaveLength(3);
    expect(all).toContainEqual(ofAlma);
    expect(all).toContainEqual({ agent_id: bob.login, status: 'offline' });
    expect((await call('list_routing_statuses', { filters: { group_ids: [SALES] } })).body).toEqual([ofAlma]);
    expect((await call('list_routing_statuses', { filters: { group_ids: [0] } })).body).toHaveLength(3);
    expect((await call('list_routing_statuses', { filters: {} })).body).toHaveLength(3);
    expect((await call('list_routing_statuses', { filters: { group_ids: [] } })).body).toEqual([]);
    const client = await logIn(test, alma);
    const answer = await client.request('list_routing_statuses', { filters: { group_ids: [SALES, 99] } });
    expect(answer).toMatchObject({ success: true, payload: [{ agent_id: alma.login }] });
    await client.close();
  });

  it('rejects invalid groups', async () => {
    const call = callAgent(test, bob);
    expect(await call('list_routing_statuses', { filters: { group_ids: ['x'] } })).toMatchObject(
      errorResponse(400, 'validation'),
    );
  });
});

describe('logout_agent', () => {
  it('closes all sockets of an agent in every process, after a push', async () => {
    const clients = [await logIn(test, alma), await logIn(other, alma)];
    const unharmed = await logIn(other, bob);
    const answer = await callAgent(test, organization.owner)('logout_agent', { agent_id: alma.login });
    expect(answer).toEqual({ status: 200, body: {} });
    // The two processes share no bus, so the other one notices in its next sweep.
    other.app.sockets.sweep();
    other.app.sockets.sweep();
    for (const client of clients) {
      expect(await nextPush(client, 'agent_disconnected')).toMatchObject({
        payload: { reason: 'logged_out_remotely' },
      });
      expect(await client.closed).toBe(1008);
    }
    expect(await statusOf(organization, alma)).toBe('offline');
    expect((await changesOf(organization, alma)).at(-1)).toEqual({ status: 'offline', reason: 'remotely_signed_out' });
    expect(await countConnections(organization, alma)).toBe(0);
    expect(await unharmed.request('ping')).toMatchObject({ success: true });
    await unharmed.close();
  });

  it('is allowed for normal agents only on themselves, and not across organizations', async () => {
    const call = callAgent(test, alma);
    expect(await call('logout_agent', { agent_id: bob.login })).toMatchObject(errorResponse(403, 'authorization'));
    expect(await call('logout_agent', { agent_id: alma.login })).toMatchObject({ status: 200 });
    expect(await call('logout_agent', {})).toMatchObject(errorResponse(400, 'validation'));
    const stranger = await buildOrganization(test);
    const missing = await callAgent(test, stranger.owner)('logout_agent', { agent_id: alma.login });
    expect(missing).toMatchObject(errorResponse(404, 'not_found'));
  });
});
