import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomerToken } from '#contracts/accounts/customer-tokens.ts';
import { createClient } from '#contracts/client.ts';
import { registerWebhook } from '#contracts/configuration/webhooks.ts';
import { startChat } from '#contracts/customer/chats.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { createOrganization } from '#contracts/operator/organizations.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { hang, ok, type Receiver, startReceiver } from '#server/testing/http/receiver.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from '../start-process.ts';

const TENANTS = 34;
const CHATS = 8;

let settings: Record<string, string>;
let server: ServerProcess;
beforeAll(async () => {
  settings = {
    DATABASE_URL: toDatabaseUrl(await createTestDatabase()),
    ALLOW_PRIVATE_WEBHOOKS: '1',
    RATE_LIMITS: 'off',
  };
  server = await startProcess(settings);
});
afterAll(() => server?.stop());

const openShop = async (name: string, receiver: Receiver) => {
  const connect = (authorization: string) => createClient({ baseUrl: server.url, headers: { authorization } });
  const organization = await connect(`Bearer ${OPERATOR_TOKEN}`)(createOrganization, {
    body: { name, owner: { login: `owner@${name}.test`, name: 'Olga', password: 'a long password' } },
  });
  const agent = connect(`Bearer ${organization.owner.api_key}`);
  await agent(registerWebhook, {
    body: {
      ...{ action: 'incoming_event', url: receiver.url, secret_key: 'a secret' },
      ...{ owner_client_id: 'drill', type: 'license' },
    },
  });
  const { access_token } = await agent(createCustomerToken, {
    body: { grant_type: 'agent_token', client_id: 'drill', response_type: 'token' },
  });
  const query = { organization_id: organization.organization_id };
  return {
    openChat: async () => {
      const customer = connect(`Bearer ${access_token}`);
      const { chat_id } = await customer(startChat, { query, body: { continuous: true } });
      return (text: string) =>
        connect(`Bearer ${access_token}`)(sendEvent, { query, body: { chat_id, event: { type: 'message', text } } });
    },
  };
};

const textsOf = ({ received }: Receiver) => received.map(({ body }) => body.payload.event.text);

describe('webhooks of a server process', () => {
  it('reach a healthy receiver while 34 others hang', async () => {
    await using stuck = await startReceiver();
    await using healthy = await startReceiver();
    stuck.answerWith(hang);
    for (let n = 0; n < TENANTS; n++) {
      const { openChat } = await openShop(`stuck-${n}`, stuck);
      const say = await openChat();
      for (let at = 0; at < CHATS; at++) await say(`${at}`);
    }
    await stuck.reached(TENANTS);
    const say = await (await openShop('healthy', healthy)).openChat();
    const messages = Array.from({ length: 50 }, (_, n) => `${n}`);
    for (const text of messages) await say(text);
    await healthy.reached(messages.length);
    expect(textsOf(healthy)).toEqual(messages);
  });

  it('arrive in order after the process was killed five times while it was sending', async () => {
    await using receiver = await startReceiver();
    const { openChat } = await openShop('killed', receiver);
    const say = await openChat();
    receiver.answerWith(hang);
    const messages = Array.from({ length: 1_000 }, (_, n) => `${n}`);
    for (const text of messages) await say(text);
    for (let kill = 0; kill < 5; kill++) {
      const before = receiver.received.length;
      receiver.answerWith(ok);
      await receiver.reached(before + 20);
      await server.kill();
      server = await startProcess(settings);
    }
    const firsts = () => [...new Map(receiver.received.map((one) => [one.deliveryId, one])).values()];
    for (let count = receiver.received.length; firsts().length < messages.length; count++)
      await receiver.reached(count + 1);
    expect(firsts().map(({ body }) => body.payload.event.text)).toEqual(messages);
  });
});
