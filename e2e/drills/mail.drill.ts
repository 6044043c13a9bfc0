import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { type MailServer, startMailServer } from '#server/testing/http/mail-server.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from '../start-process.ts';

interface Shop {
  login: string;
  authorization: string;
}

let mailServer: MailServer;
let settings: Record<string, string>;
let server: ServerProcess;
beforeAll(async () => {
  mailServer = await startMailServer();
  settings = { DATABASE_URL: toDatabaseUrl(await createTestDatabase()), SMTP_URL: mailServer.url, RATE_LIMITS: 'off' };
  server = await startProcess(settings);
});
afterAll(async () => {
  await server?.stop();
  await mailServer?.[Symbol.asyncDispose]();
});

// biome-ignore lint/suspicious/noExplicitAny: responses of several APIs
const post = async (path: string, body: object, authorization?: string): Promise<any> => {
  const response = await fetch(new URL(path, server.url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: new URL(server.url).origin,
      ...(authorization ? { authorization } : {}),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

const openShop = async (name: string): Promise<Shop> => {
  const login = `owner@${name}.test`;
  const body = { name, owner: { login, name: 'Olga', password: 'a long password' } };
  const { owner } = await post('/operator/v1/organizations', body, `Bearer ${OPERATOR_TOKEN}`);
  await mailServer.until(() => arrivedAt(login).length === 1);
  return { login, authorization: `Bearer ${owner.api_key}` };
};

const arrivedAt = (address: string) => mailServer.arrived.filter(({ to }) => to === address);

/** Each reply is one mail. */
const replyToMany = async ({ authorization }: Shop, name: string, count: number): Promise<string[]> => {
  const addresses = Array.from({ length: count }, (_, n) => `${name}-${n}@home.test`);
  for (const mail of addresses) {
    const call = (action: string, body: object) => post(`/v3.5/agent/action/${action}`, body, authorization);
    const { ticket } = await call('create_ticket', {
      subject: 'Lamp',
      message: 'Dark',
      requester: { mail, name: 'Ann' },
    });
    await call('reply_to_ticket', { ticket_id: ticket.id, message: 'Switch it on' });
  }
  return addresses;
};

describe('mail of a server process', () => {
  it('brings a password reset while a thousand mails of another tenant wait for recipients that hang', async () => {
    const [busy, calm] = [await openShop('busy'), await openShop('calm')];
    mailServer.answerWith((address) => (address.startsWith('many-') ? 'hang' : 'accept'));
    const addresses = await replyToMany(busy, 'many', 1_000);
    await mailServer.until(() => mailServer.hanging.length > 0);
    await post('/signin/forgotten', { login: calm.login });
    await mailServer.until(() => arrivedAt(calm.login).length === 2);
    expect(mailServer.arrived.filter(({ to }) => to.startsWith('many-'))).toEqual([]);
    mailServer.answerWith(() => 'accept');
    mailServer.release();
    await mailServer.until(() => addresses.every((address) => arrivedAt(address).length > 0));
    expect(mailServer.arrived.filter(({ to }) => to.startsWith('many-'))).toHaveLength(addresses.length);
  });

  it('loses nothing when the process is killed in the middle of sending, and repeats at most what was in flight', async () => {
    const shop = await openShop('killed');
    mailServer.answerWith((address) => (address.startsWith('slow-') ? 'hang' : 'accept'));
    const slow = await replyToMany(shop, 'slow', 4);
    const addresses = await replyToMany(shop, 'some', 200);
    await mailServer.until(() => mailServer.hanging.length > 0);
    await server.kill();
    const before = mailServer.arrived.length;
    mailServer.answerWith(() => 'accept');
    mailServer.release();
    server = await startProcess(settings);
    const all = [...slow, ...addresses];
    await mailServer.until(() => all.every((address) => arrivedAt(address).length > 0));
    const counts = all.map((address) => new Set(arrivedAt(address).map(({ messageId }) => messageId)).size);
    expect(counts).toEqual(all.map(() => 1));
    const MAX_IN_FLIGHT = 20;
    const repeated = all.filter((address) => arrivedAt(address).length > 1);
    expect(repeated.length).toBeLessThanOrEqual(MAX_IN_FLIGHT);
    expect(before).toBeLessThan(mailServer.arrived.length);
  });
});
