import { afterEach, describe, expect, it } from 'vitest';
import { createCustomerToken } from '#contracts/accounts/customer-tokens.ts';
import { createClient } from '#contracts/client.ts';
import { registerWebhook } from '#contracts/configuration/webhooks.ts';
import { startChat } from '#contracts/customer/chats.ts';
import { sendEvent as sendEventOperation } from '#contracts/customer/events.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { sendEvent } from '#server/domain/support/chats/append/send-event.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { createTestDatabase, startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildChat, messageDraft } from '#server/testing/builders/chats.ts';
import { buildCustomer, buildOrganization } from '#server/testing/builders/factories.ts';
import { buildWebhook } from '#server/testing/builders/webhooks.ts';
import { type Answer, ok, type Receiver, startReceiver } from '#server/testing/http/receiver.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const MINUTE = 60_000;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
});

const openReceiver = async (): Promise<Receiver> => {
  const receiver = await startReceiver();
  cleanups.push(() => receiver[Symbol.asyncDispose]());
  return receiver;
};

const resetConnection: Answer = (response) => void response.destroy();

/** A server that can be cut off from its database, which simulates a power failure. */
interface CrashableServer {
  app: TestApp;
  crash(): Promise<void>;
}

const startCrashableServer = async (base: TestApp): Promise<CrashableServer> => {
  const proxy: DatabaseProxy = await startDatabaseProxy(base.connection);
  const app = await startTestApp({
    beside: base,
    connection: proxy.connection,
    config: { allowPrivateWebhooks: true },
  });
  let crashed = false;
  cleanups.push(async () => {
    if (crashed) await proxy.reconnect();
    await app[Symbol.asyncDispose]();
    await proxy.disconnect();
  });
  return {
    app,
    crash: async () => {
      crashed = true;
      await proxy.disconnect();
    },
  };
};

/** Deliveries by chat as seen by a receiver that ignores repeated ids. */
const deduplicateByChat = ({ received }: Receiver) => {
  const byId = new Map(received.map((message) => [message.deliveryId, message]));
  const first = [...new Set(received.map(({ deliveryId }) => deliveryId))].map((id) => byId.get(id)!);
  return Map.groupBy(first, ({ body }) => body.payload.chat_id as string);
};

describe('webhook deliveries to a receiver that is down for an hour while the server crashes twice', () => {
  it('arrive in the order of their chat, and every retry has the original delivery id', async () => {
    const base = await startTestApp({ config: { allowPrivateWebhooks: true } });
    cleanups.push(() => base[Symbol.asyncDispose]());
    const receiver = await openReceiver();
    const organization = await buildOrganization(base);
    const customer = await buildCustomer(organization);
    await buildWebhook(organization, { action: 'incoming_event', url: receiver.url });
    const chats = await Promise.all(Array.from({ length: 5 }, () => buildChat(organization, customer)));
    const sentTexts = new Map<string, string[]>(chats.map(({ chatId }) => [chatId, []]));

    let sentCount = 0;
    const sendEvents = async ({ app }: CrashableServer): Promise<void> => {
      const actor = { kind: 'customer', id: customer.id } as const;
      const scope = openOrganizationScope(app.context.services, actor, organization.id);
      for (const { chatId } of chats) {
        const text = `event ${sentCount++}`;
        sentTexts.get(chatId)!.push(text);
        await sendEvent(scope, { chatId, event: messageDraft(text), attachToLastThread: false });
      }
    };
    const runFor = async (server: CrashableServer, minutes: number): Promise<void> => {
      for (let passed = 0; passed < minutes; passed += 5) {
        await sendEvents(server);
        await server.app.runDueJobs();
        base.clock.advance(5 * MINUTE);
      }
    };

    receiver.answerWith(resetConnection);
    const first = await startCrashableServer(base);
    await runFor(first, 20);

    // The server crashes with deliveries in flight.
    const unanswered: { destroy(): void }[] = [];
    receiver.answerWith((response) => void unanswered.push(response));
    const before = receiver.received.length;
    await sendEvents(first);
    const crashing = first.app.runDueJobs().catch(() => {});
    await receiver.reached(before + 1);
    await first.crash();
    for (const response of unanswered) response.destroy();
    await crashing;

    receiver.answerWith(resetConnection);
    const second = await startCrashableServer(base);
    await runFor(second, 40);

    // The server crashes after a delivery arrived and before that is recorded.
    const arrivedIds: string[] = [];
    receiver.answerWith((response, message) => {
      arrivedIds.push(message.deliveryId);
      void second.crash().then(() => ok(response, message));
    });
    base.clock.advance(20 * MINUTE);
    await second.app.runDueJobs().catch(() => {});
    expect(arrivedIds.length).toBeGreaterThan(0);

    receiver.received.length = 0;
    receiver.answerWith(ok);
    const third = await startCrashableServer(base);
    await sendEvents(third);
    const waiting = () =>
      organization.scope.from('webhookDeliveries').where('state', '<>', 'delivered').select('id').execute();
    for (let hours = 0; hours < 6 && (await waiting()).length > 0; hours++) {
      base.clock.advance(60 * MINUTE);
      await third.app.runDueJobs();
    }
    expect(await waiting()).toEqual([]);
    const arrived = deduplicateByChat(receiver);
    for (const [chatId, texts] of sentTexts)
      expect(arrived.get(chatId)?.map(({ body }) => body.payload.event.text)).toEqual(texts);
    for (const id of arrivedIds) expect(receiver.received.map(({ deliveryId }) => deliveryId)).toContain(id);
    const events = new Map<string, string>();
    for (const { deliveryId, body } of receiver.received)
      expect(events.set(deliveryId, events.get(deliveryId) ?? body.payload.event.id).get(deliveryId)).toBe(
        body.payload.event.id,
      );
    expect(events.size).toBe(sentCount);
  });
});

describe('webhook deliveries of a killed process', () => {
  it('are sent by another process', async () => {
    const receiver = await openReceiver();
    const env = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), ALLOW_PRIVATE_WEBHOOKS: '1' };
    const web: ServerProcess = await startProcess({ ...env, ROLES: 'web' });
    const operator = createClient({ baseUrl: web.url, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    const organization = await operator(createOrganization, {
      body: { name: 'Shop', owner: { login: 'olga@shop.test', name: 'Olga', password: 'a long password' } },
    });
    const agent = createClient({
      baseUrl: web.url,
      headers: { authorization: `Bearer ${organization.owner.api_key}` },
    });
    await agent(registerWebhook, {
      body: {
        action: 'incoming_event',
        url: receiver.url,
        secret_key: 'a secret',
        owner_client_id: 'e2e',
        type: 'license',
      },
    });
    const { access_token: token } = await agent(createCustomerToken, {
      body: { grant_type: 'agent_token', client_id: 'e2e', response_type: 'token' },
    });
    const customer = createClient({ baseUrl: web.url, headers: { authorization: `Bearer ${token}` } });
    const query = { organization_id: organization.organization_id };
    const { chat_id } = await customer(startChat, { query, body: { continuous: true } });
    const texts = Array.from({ length: 20 }, (_, at) => `event ${at}`);
    for (const text of texts)
      await customer(sendEventOperation, { query, body: { chat_id, event: { type: 'message', text } } });
    await web.kill();
    expect(receiver.received).toEqual([]);

    const worker = await startProcess({ ...env, ROLES: 'worker' });
    await receiver.reached(texts.length);
    expect(receiver.received.map(({ body }) => body.payload.event.text)).toEqual(texts);
    await worker.stop();
  });
});
