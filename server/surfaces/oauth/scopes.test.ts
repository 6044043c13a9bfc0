import { beforeAll, describe, expect, it } from 'vitest';
import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { allScopes, type Scope } from '#server/domain/accounts/oauth/scopes.ts';
import { setAgentStatus } from '#server/domain/support/agents/presence/set-status.ts';
import { getAgent } from '#server/domain/support/agents/profile/list-agents.ts';
import { setTicketStatus } from '#server/domain/support/tickets/change-ticket.ts';
import { createTicket } from '#server/domain/support/tickets/create-ticket.ts';
import { buildOauthClient } from '#server/testing/app/oauth-client.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { agentScope, buildChat } from '#server/testing/builders/chats.ts';
import {
  buildAgent,
  buildCustomer,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { buildTenant } from '#server/testing/builders/tenants.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { exampleOf, toQueryString } from '#server/testing/http/examples.ts';

const test = useTestApp();
let shop: TestOrganization;
let alma: TestAgent;
beforeAll(async () => {
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  shop = await buildOrganization(test);
  alma = await buildAgent(shop);
});

describe('scopes', () => {
  it('every operation of the chat-ops API checks scopes', async () => {
    const tenant = await buildTenant(test);
    const tokens = new Map<Scope, string>();
    const tokenWithout = async (scope: Scope): Promise<string> => {
      const rest = allScopes.filter((one) => one !== scope);
      const token =
        tokens.get(scope) ?? (await buildOauthClient(test, tenant.organization, tenant.agent, rest)).accessToken;
      tokens.set(scope, token);
      return token;
    };
    for (const operation of chatOpsContract.operations.filter((one) => !one.public)) {
      const { method, path, query, body } = exampleOf('chat-ops', operation, tenant);
      const authorization = `Bearer ${await tokenWithout(operation.scopes![0]!)}`;
      const answer = await test.app.inject({
        ...{ method, url: `${path}?${toQueryString(query)}`, headers: { authorization } },
        ...(body ? { payload: body } : {}),
      });
      expect([operation.name, answer.statusCode]).toEqual([operation.name, 403]);
      expect(answer.json().message).toContain(operation.scopes![0]!);
    }
  });

  it('the agent API checks scopes over HTTP', async () => {
    const call = async (scopes: Scope[], action: string, payload: object) => {
      const { accessToken } = await buildOauthClient(test, shop, alma, scopes);
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await test.app.inject({ method: 'POST', url: `/v3.5/agent/action/${action}`, headers, payload }))
        .statusCode;
    };
    expect(await call(['archives_read'], 'list_chats', {})).toBe(200);
    expect(await call(['visitors_read'], 'list_chats', {})).toBe(403);
    expect(await call(['visitors_read'], 'list_customers', {})).toBe(200);
    expect(await call(['archives_write'], 'list_customers', {})).toBe(403);
  });

  const connect = async (scopes: readonly Scope[]) => {
    const { accessToken } = await buildOauthClient(test, shop, alma, [...scopes]);
    const client = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
    const login = await client.request('login', { token: `Bearer ${accessToken}`, reconnect: true });
    return { client, login };
  };
  const rejection = { success: false, payload: { error: { type: 'authorization' } } };
  const ENTERING: Scope[] = ['archives_read', 'visitors_read'];

  it('the agent API checks scopes over a socket', async () => {
    for (const scope of ENTERING) {
      const { client, login } = await connect(allScopes.filter((one) => one !== scope));
      expect(login).toMatchObject(rejection);
      await client.close();
    }
    const customer = await buildCustomer(shop);
    const requests: [action: string, payload: object, needed: Scope][] = [
      ['list_chats', {}, 'archives_read'],
      ['list_customers', {}, 'visitors_read'],
      ['list_tickets', {}, 'tickets_read'],
      ['list_routing_statuses', {}, 'agents_read'],
      ['set_routing_status', { status: 'not_accepting_chats' }, 'agents_write'],
      ['start_chat', { chat: { users: [{ id: customer.id, type: 'customer' }] } }, 'archives_write'],
      ['create_customer', { name: 'Ann' }, 'visitors_write'],
    ];
    for (const [action, payload, needed] of requests) {
      const { client, login } = await connect([...ENTERING, needed]);
      expect([action, login.success, (await client.request(action, payload)).success]).toEqual([action, true, true]);
      await client.close();
      if (ENTERING.includes(needed)) continue;
      const { client: other } = await connect([...allScopes.filter((one) => one !== needed)]);
      expect([action, await other.request(action, payload)]).toMatchObject([action, rejection]);
      await other.close();
    }
  });

  it('scopes decide whether a socket makes its agent available', async () => {
    const statusWith = async (scopes: Scope[]) => {
      const agent = await buildAgent(shop);
      const { accessToken } = await buildOauthClient(test, shop, agent, scopes);
      const client = await connectSocket(`${test.app.listeningOrigin}/v3.5/agent/rtm/ws`);
      expect(await client.request('login', { token: `Bearer ${accessToken}` })).toMatchObject({ success: true });
      const { status } = await getAgent(agentScope(shop, shop.owner), { login: agent.login });
      await client.request('set_away_status', { away: true });
      await client.close();
      return status;
    };
    expect(await statusWith(ENTERING)).toBe('offline');
    expect(await statusWith([...ENTERING, 'agents_write'])).toBe('accepting chats');
  });

  it('scopes decide which pushes a socket receives', async () => {
    const [few, all] = [(await connect(ENTERING)).client, (await connect(allScopes)).client];
    const source = { type: 'agent-app-manual' } as const;
    const { id } = await createTicket(shop.scope, { requester: { mail: 'ann@home.test' }, message: 'Secret', source });
    await setTicketStatus(shop.scope, { ticketId: id, status: 'pending' });
    await setAgentStatus(shop.scope, { login: shop.owner.login, status: 'not accepting chats' });
    await buildChat(shop, await buildCustomer(shop), { continuous: true });
    const actionsOf = async ({ nextPush }: SocketClient): Promise<string[]> => {
      const actions: string[] = [];
      while (actions.at(-1) !== 'incoming_chat') actions.push((await nextPush()).action);
      return actions;
    };
    expect(await actionsOf(all)).toEqual(['ticket_created', 'ticket_changed', 'routing_status_set', 'incoming_chat']);
    expect(await actionsOf(few)).toEqual(['incoming_chat']);
    await Promise.all([few.close(), all.close()]);
  });

  it('no scope allows keys, bot tokens or managing clients', async () => {
    const admin = await buildAgent(shop, { permission: 'administrator' });
    const { accessToken } = await buildOauthClient(test, shop, admin, [...allScopes]);
    const headers = { authorization: `Bearer ${accessToken}` };
    const own = await test.app.inject({ url: `/agents/${admin.login}`, headers });
    expect([own.statusCode, own.json().api_key]).toEqual([200, undefined]);
    const reset = await test.app.inject({ method: 'POST', url: `/agents/${admin.login}/reset_api_key`, headers });
    expect(reset.statusCode).toBe(403);
    for (const [action, payload] of [
      ['create_bot', { name: 'Bot' }],
      ['list_oauth_clients', {}],
      ['list_oauth_grants', {}],
    ] as const) {
      const url = `/v3.5/configuration/action/${action}`;
      expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(403);
    }
    const grant = { grant_type: 'agent_token', client_id: 'x', response_type: 'token', organization_id: shop.id };
    const requests = await test.app.inject({ method: 'POST', url: '/v2/customer/token', headers, payload: grant });
    expect(requests.statusCode).toBe(401);
  });

  it('clients of other organizations are rejected', async () => {
    const other = await buildOrganization(test);
    const { accessToken } = await buildOauthClient(test, other, other.owner, ['agents_read']);
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await test.app.inject({ url: `/agents/${alma.login}`, headers })).statusCode).toBe(404);
  });
});
