import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomerToken, revokeCustomerToken } from '#contracts/accounts/customer-tokens.ts';
import { createClient } from '#contracts/client.ts';
import { startChat } from '#contracts/customer/chats.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import { hasNatsServer, startNatsServer } from '#server/testing/app/nats-server.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const setUp = async (baseUrl: string) => {
  const operator = createClient({ baseUrl, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const organization = await operator(createOrganization, {
    body: { name: 'Shop', owner: { login: 'olga@shop.test', name: 'Olga', password: 'a long password' } },
  });
  const authorization = `Bearer ${organization.owner.api_key}`;
  const { access_token: token } = await createClient({ baseUrl, headers: { authorization } })(createCustomerToken, {
    body: { grant_type: 'agent_token', client_id: 'e2e', response_type: 'token' },
  });
  return { organizationId: organization.organization_id, authorization, token };
};

const logIn = async (url: string, token: string): Promise<SocketClient> => {
  const client = await connectSocket(`${url}/v3.5/agent/rtm/ws`);
  const pushes = { '3.5': ['incoming_chat', 'incoming_event'] };
  expect(await client.request('login', { token, pushes })).toMatchObject({ success: true });
  return client;
};

/** Reads the next pushes in a short form. */
const read = async (client: SocketClient, count: number): Promise<string[]> => {
  const lines: string[] = [];
  while (lines.length < count) {
    const { action, payload } = await client.nextPush();
    lines.push(action === 'incoming_event' ? payload.event.text : `${action} ${payload.chat.id}`);
  }
  return lines;
};

describe.skipIf(!hasNatsServer)('two server processes', () => {
  let nats: Awaited<ReturnType<typeof startNatsServer>>;
  let processes: ServerProcess[];

  beforeAll(async () => {
    nats = await startNatsServer();
    const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), NATS_URL: nats.url, ROLES: 'web' };
    processes = [await startProcess(env), await startProcess(env)];
  });
  afterAll(async () => {
    for (const { stop } of processes ?? []) await stop();
    await nats?.remove();
  });

  it('deliver every push exactly once, even after the connection between them was lost', async () => {
    const [one, two] = processes as [ServerProcess, ServerProcess];
    const { organizationId, authorization, token } = await setUp(one.url);
    const agents = [await logIn(one.url, authorization), await logIn(two.url, authorization)] as const;
    const customerAt = ({ url }: ServerProcess) => {
      const call = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
      const query = { organization_id: organizationId };
      return {
        start: async () => (await call(startChat, { query, body: { continuous: true } })).chat_id,
        say: (chat_id: string, text: string) =>
          call(sendEvent, { query, body: { chat_id, event: { type: 'message', text } } }),
      };
    };
    const [atOne, atTwo] = [customerAt(one), customerAt(two)];

    const first = await atOne.start();
    await atOne.say(first, 'to one');
    for (const agent of agents) expect(await read(agent, 2)).toEqual([`incoming_chat ${first}`, 'to one']);
    await atTwo.say(first, 'to two');
    for (const agent of agents) expect(await read(agent, 1)).toEqual(['to two']);

    await nats.stop();
    await atOne.say(first, 'alone');
    await atOne.say(first, 'still alone');
    expect(await read(agents[0], 2)).toEqual(['alone', 'still alone']);
    const second = await atTwo.start();
    expect(await read(agents[1], 1)).toEqual([`incoming_chat ${second}`]);

    await nats.restart();
    expect(await read(agents[1], 2)).toEqual(['alone', 'still alone']);
    expect(await read(agents[0], 1)).toEqual([`incoming_chat ${second}`]);
    await atOne.say(first, 'together');
    await atTwo.say(second, 'again');
    for (const agent of agents) expect((await read(agent, 2)).toSorted()).toEqual(['again', 'together']);

    for (const agent of agents) {
      expect(await agent.request('ping')).toMatchObject({ success: true });
      expect(agent.unread()).toEqual([]);
    }
    const customer = await connectSocket(`${two.url}/v3.5/customer/rtm/ws?organization_id=${organizationId}`);
    expect(await customer.request('login', { token: `Bearer ${token}` })).toMatchObject({ success: true });
    await atOne.say(first, 'to the customer');
    expect(await read(customer, 1)).toEqual(['to the customer']);
    const asCustomer = createClient({ baseUrl: one.url, headers: { authorization: `Bearer ${token}` } });
    await asCustomer(revokeCustomerToken, {});
    expect(await customer.nextPush()).toMatchObject({ payload: { reason: 'access_token_revoked' } });
    expect(await customer.closed).toBe(1008);

    await processes.shift()!.stop();
    expect(await agents[0].closed).toBe(1001);
    expect(await agents[1].request('list_chats', {})).toMatchObject({ success: true });
    await agents[1].close();
  });
});
