import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { runCommand } from '#server/commands/dispatch.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { createKit, type Partner } from './conformance/partner/index.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const ROUNDS = 3;
const WRITERS = 4;
/** Each round kills the server only after this many more writes of each kind were acknowledged, however long that takes. */
const MIN_ACKNOWLEDGED = 2;
const PAYMENT_CENTS = 1000;
const COMMISSION_PERCENT = 20;
const KINDS = ['message', 'form', 'goal', 'end', 'rating', 'tag', 'ticket', 'payment'] as const;
type Kind = (typeof KINDS)[number];

// biome-ignore lint/suspicious/noExplicitAny: responses of several APIs
type Json = any;

interface Shop {
  id: string;
  basic: string;
  partner: Partner;
  /** An organization that the partner referred, so that its payments earn commissions. */
  referredId: string;
}

const send = async (url: string, method: string, authorization: string, body?: object): Promise<Json> => {
  const response = await fetch(url, {
    method,
    headers: { authorization, 'content-type': 'application/json', 'x-api-version': '2' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
};

const openShop = async (url: string): Promise<Shop> => {
  const created = await send(`${url}/operator/v1/organizations`, 'POST', `Bearer ${OPERATOR_TOKEN}`, {
    name: 'Crash shop',
    owner: { login: 'owner@crash.test', name: 'Owner', password: 'a long password' },
  });
  const { login, api_key } = created.owner;
  const basic = `Basic ${Buffer.from(`${login}:${api_key}`).toString('base64')}`;
  const goal = { name: 'Thanks', type: 'url', url: 'https://shop.test/thanks', match_type: 'exact' };
  await send(`${url}/goals`, 'POST', basic, goal);
  const kit = createKit({ url, operatorToken: OPERATOR_TOKEN });
  const partner = await kit.newPartner();
  const referred = await kit.newLicense(partner);
  return { id: created.organization_id, basic, partner, referredId: referred.id };
};

const message = (text: string) => ({ type: 'message', text });
const form = (text: string) => ({
  type: 'filled_form',
  form_id: 'default_ticket',
  form_type: 'ticket',
  fields: [
    { type: 'email', id: 'email', label: 'Email:', answer: 'otto@home.test' },
    { type: 'textarea', id: 'message', label: 'Message:', answer: text },
  ],
});

/** Projections derive from these writes later; `acknowledge` is called for each write that the server confirmed. */
const writeOnce = async (url: string, shop: Shop, n: number, acknowledge: (kind: Kind) => void): Promise<void> => {
  const token = await send(`${url}/v2/customer/token`, 'POST', '', {
    grant_type: 'cookie',
    client_id: 'crash',
    response_type: 'token',
    organization_id: shop.id,
  });
  const asCustomer = (action: string, body: object) =>
    send(
      `${url}/v3.5/customer/action/${action}?organization_id=${shop.id}`,
      'POST',
      `Bearer ${token.access_token}`,
      body,
    );
  const { chat_id, thread_id } = await asCustomer('start_chat', { continuous: true });
  await asCustomer('send_event', { chat_id, event: message(`said${n}x`) });
  acknowledge('message');
  await asCustomer('send_event', { chat_id, event: form(`form${n}x`) });
  acknowledge('form');
  await asCustomer('check_goals', { session_fields: [], group_id: 0, page_url: 'https://shop.test/thanks' });
  acknowledge('goal');
  await asCustomer('deactivate_chat', { id: chat_id });
  acknowledge('end');
  await asCustomer('update_thread_properties', { chat_id, thread_id, properties: { rating: { score: 1 } } });
  acknowledge('rating');
  await send(`${url}/chats/${thread_id}/tags`, 'PUT', shop.basic, { tag: [`tag${n}x`] });
  acknowledge('tag');
  await send(`${url}/tickets`, 'POST', shop.basic, {
    message: `ticket${n}x`,
    requester: { mail: 'ann@home.test' },
  });
  acknowledge('ticket');
  await send(`${url}/operator/v1/organizations/${shop.referredId}/payments`, 'POST', `Bearer ${OPERATOR_TOKEN}`, {
    external_id: `payment${n}x`,
    product: 'mainchat',
    amount_cents: PAYMENT_CENTS,
    currency: 'USD',
  });
  acknowledge('payment');
};

it('after kill -9 at random moments every projection equals its sources and no reaction is missing', {
  timeout: 600_000,
}, async () => {
  const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), RATE_LIMITS: 'off' };
  const acknowledged = Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Record<Kind, number[]>;
  let shop: Shop | undefined;
  let next = 0;
  let server: ServerProcess = await startProcess(env);
  try {
    for (let round = 1; round <= ROUNDS; round++) {
      shop ??= await openShop(server.url);
      const enough = Promise.withResolvers<void>();
      let isKilled = false;
      const write = async (opened: Shop): Promise<void> => {
        while (!isKilled) {
          const n = next++;
          await writeOnce(server.url, opened, n, (kind) => {
            acknowledged[kind].push(n);
            if (KINDS.every((one) => acknowledged[one].length >= round * MIN_ACKNOWLEDGED)) enough.resolve();
          });
        }
      };
      const writers = Array.from({ length: WRITERS }, () =>
        write(shop!).catch((error: unknown) => {
          // A request interrupted by the kill is not acknowledged; any other failure ends the test.
          if (!isKilled) enough.reject(error);
        }),
      );
      await enough.promise;
      await new Promise((resolve) => setTimeout(resolve, randomInt(200)));
      isKilled = true;
      await server.kill();
      await Promise.all(writers);
      server = await startProcess(env);
    }
    const { basic, partner, referredId } = shop!;
    const read = (path: string): Promise<Json> => send(`${server.url}${path}`, 'GET', basic);
    for (const n of acknowledged.end) expect((await read(`/chats?query=said${n}x`)).total, `said${n}x`).toBe(1);
    for (const n of acknowledged.tag) expect((await read(`/chats?tag[]=tag${n}x`)).total, `tag${n}x`).toBe(1);
    for (const n of acknowledged.ticket)
      expect((await read(`/tickets?query=ticket${n}x`)).total, `ticket${n}x`).toBe(1);
    // The ticket of a form is created after its event was acknowledged, if necessary by the next process.
    for (const n of acknowledged.form)
      await expect.poll(async () => (await read(`/tickets?query=form${n}x`)).total, { timeout: 120_000 }).toBe(1);
    expect((await read('/chats?rate=rated_good')).total).toBeGreaterThanOrEqual(acknowledged.rating.length);
    expect((await read('/chats?has_goal=1')).total).toBeGreaterThanOrEqual(acknowledged.end.length);
    const kit = createKit({ url: server.url, operatorToken: OPERATOR_TOKEN });
    const paid: string[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const path = `/organizations/${referredId}/payments?limit=100&after=${after}`;
      const { payments, next } = await kit.operator.ok(200, 'GET', path);
      paid.push(...payments.map(({ external_id }: Json) => external_id));
      after = next;
    }
    expect(paid).toEqual(expect.arrayContaining(acknowledged.payment.map((n) => `payment${n}x`)));
    // Each recorded payment has earned its commission, also one whose response was lost.
    const { available } = await kit.asPartner(partner, partner.token).ok(200, 'GET', '/balance');
    expect(available).toBe((paid.length * PAYMENT_CENTS * COMMISSION_PERCENT) / 100 / 100);
    const lines: string[] = [];
    const push = (line: string) => void lines.push(line);
    const code = await runCommand(['projections', 'check'], { env, cwd: '/', print: push, reportProgress: push });
    expect([code, lines]).toEqual([0, [expect.stringContaining('no difference')]]);
  } finally {
    await server.kill();
  }
});
