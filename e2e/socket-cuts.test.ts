import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCustomerToken } from '#contracts/accounts/customer-tokens.ts';
import { createClient } from '#contracts/client.ts';
import { getChat, startChat } from '#contracts/customer/chats.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { type ClientOptions, openReconnectingClient, type ReconnectingClient } from './reconnecting-client.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const CUTS = 200;
/** Average number of frames until a connection breaks. */
const FRAMES_PER_CUT = 16;
/** Limits the conversation in case a bug stops the cuts. */
const MAX_MESSAGES = 5_000;
const SEED = Number(process.env.SEED ?? 20261115);

let server: ServerProcess;

beforeAll(async () => {
  const DATABASE_URL = toDatabaseUrl(await createTestDatabase());
  server = await startProcess({ DATABASE_URL, RATE_LIMITS: 'off' });
});
afterAll(() => server?.stop());

/** A deterministic random number generator (mulberry32). */
const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const setUp = async (baseUrl: string) => {
  const operator = createClient({ baseUrl, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const organization = await operator(createOrganization, {
    body: { name: 'Shop', owner: { login: 'olga@shop.test', name: 'Olga', password: 'a long password' } },
  });
  const query = { organization_id: organization.organization_id };
  const { access_token: token } = await createClient({ baseUrl })(createCustomerToken, {
    body: { grant_type: 'cookie', client_id: 'e2e', response_type: 'token', ...query },
  });
  const customer = createClient({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const { chat_id: chatId } = await customer(startChat, { query, body: { continuous: true } });
  return {
    chatId,
    customerUrl: `/v3.5/customer/rtm/ws?organization_id=${query.organization_id}`,
    tokens: { customer: `Bearer ${token}`, agent: `Bearer ${organization.owner.api_key}` },
    readEvents: async () => {
      const { thread } = await customer(getChat, { query, body: { chat_id: chatId } });
      return thread!.events.map(({ id, text }) => ({ id, text }));
    },
  };
};

it(`both clients receive the whole conversation in order although connections break ${CUTS} times (SEED=${SEED})`, async () => {
  const { chatId, customerUrl, tokens, readEvents } = await setUp(server.url);
  const random = createRandom(SEED);
  let cuts = 0;
  let sentCount = 0;
  const shouldBreak = (): boolean => {
    if (cuts >= CUTS || random() * FRAMES_PER_CUT > 1) return false;
    cuts++;
    return true;
  };
  const shouldContinue = (): boolean => cuts < CUTS && sentCount++ < MAX_MESSAGES;
  const open = (name: string, path: string, more: Pick<ClientOptions, 'token'>): ReconnectingClient =>
    openReconnectingClient({
      url: `${server.url.replace('http', 'ws')}${path}`,
      chatId,
      name,
      shouldBreak,
      shouldContinue,
      ...more,
    });
  const clients = [
    open('customer', customerUrl, { token: tokens.customer }),
    open('agent', '/v3.5/agent/rtm/ws', { token: tokens.agent }),
  ];

  await Promise.all(clients.map(({ finished }) => finished));
  const JOIN_EVENT_COUNT = 1;
  const total = clients[0]!.sentCount() + clients[1]!.sentCount() + JOIN_EVENT_COUNT;
  await Promise.all(clients.map(({ waitForEvents }) => waitForEvents(total)));
  for (const { close } of clients) close();

  const stored = await readEvents();
  expect(cuts).toBe(CUTS);
  expect(stored).toHaveLength(total);
  for (const client of clients) {
    expect(client.errors).toEqual([]);
    expect(client.events).toEqual(stored);
  }
  for (const name of ['customer', 'agent']) {
    const own = stored.filter(({ text }) => text?.startsWith(name)).map(({ text }) => Number(text?.split(' ')[1]));
    expect(own).toEqual(own.map((_, at) => at + 1));
  }
});
