import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { type MailServer, startMailServer } from '#server/testing/http/mail-server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let mailServer: MailServer;
let test: TestApp;
let shop: TestOrganization;
let other: TestOrganization;
beforeAll(async () => {
  mailServer = await startMailServer();
  test = await startTestApp({ config: { smtpUrl: mailServer.url } });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await mailServer[Symbol.asyncDispose]();
});
beforeEach(async () => {
  mailServer.answerWith(() => 'accept');
  shop = await buildOrganization(test);
  other = await buildOrganization(test);
  await test.runDueJobs();
  mailServer.arrived.length = 0;
});

const requestReset = ({ owner }: TestOrganization, app = test) =>
  app.app.inject({ method: 'POST', url: '/signin/forgotten', payload: { login: owner.login } });

/** Replies to a ticket of the customer, each of which is a mail to them. */
const replyTo = async ({ owner }: TestOrganization, mail: string, texts: string[]): Promise<void> => {
  const call = callAsAgent(test);
  const { body } = await call(owner, 'create_ticket', {
    subject: 'Lamp',
    message: 'It is dark',
    requester: { mail, name: 'Ann' },
  });
  for (const message of texts) await call(owner, 'reply_to_ticket', { ticket_id: body.ticket.id, message });
};

const listFailed = async () => {
  const headers = { authorization: `Bearer ${test.operatorToken}` };
  return (await test.app.inject({ url: '/operator/v1/mails/failed', headers })).json().mails;
};
const replay = async (payload: object) => {
  const headers = { authorization: `Bearer ${test.operatorToken}` };
  return test.app.inject({ method: 'POST', url: '/operator/v1/mails/failed/replay', headers, payload });
};
const arrivedAt = (address: string) => mailServer.arrived.filter(({ to }) => to === address);

describe('a mail whose recipient hangs', () => {
  it('does not delay mails of other organizations', async () => {
    mailServer.answerWith((address) => (address === 'stuck@home.test' ? 'hang' : 'accept'));
    await replyTo(shop, 'stuck@home.test', ['1', '2', '3', '4', '5', '6']);
    await replyTo(other, 'ann@home.test', ['a', 'b', 'c', 'd']);
    const drained = test.runDueJobs();
    await mailServer.until(() => arrivedAt('ann@home.test').length === 4 && mailServer.hanging.length > 0);
    expect(arrivedAt('stuck@home.test')).toEqual([]);
    await requestReset(other);
    const resets = test.runDueJobs();
    await mailServer.until(() => arrivedAt(other.owner.login).length === 1);
    expect(arrivedAt('stuck@home.test')).toEqual([]);
    mailServer.answerWith(() => 'accept');
    mailServer.release();
    await Promise.all([drained, resets]);
    expect(arrivedAt('stuck@home.test')).toHaveLength(6);
  });

  it('does not delay a password reset, also if twelve organizations have some', async () => {
    const organizations = [];
    for (let n = 0; n < 12; n++) organizations.push(await buildOrganization(test));
    await test.runDueJobs();
    mailServer.answerWith((address) => (address.startsWith('stuck') ? 'hang' : 'accept'));
    for (const [n, organization] of organizations.entries())
      await replyTo(organization, `stuck-${n}@home.test`, ['1', '2']);
    await requestReset(other);
    const drained = test.runDueJobs();
    await mailServer.until(() => arrivedAt(other.owner.login).length === 1 && mailServer.hanging.length > 0);
    expect(mailServer.arrived.filter(({ to }) => to.startsWith('stuck'))).toEqual([]);
    mailServer.answerWith(() => 'accept');
    mailServer.release();
    await drained;
    for (const n of organizations.keys()) expect(arrivedAt(`stuck-${n}@home.test`)).toHaveLength(2);
  });
});

describe('the order of mails', () => {
  it('puts a password reset before the replies and transcripts that wait', async () => {
    await using single = await startTestApp({
      beside: test,
      config: { smtpUrl: mailServer.url, smtpMaxConnections: 2 },
    });
    await replyTo(shop, 'ann@home.test', ['1', '2', '3', '4', '5']);
    await requestReset(shop, single);
    await single.runDueJobs();
    expect(mailServer.arrived.map(({ to }) => to)).toEqual([shop.owner.login, ...Array(5).fill('ann@home.test')]);
  });

  it('lets an organization with few mails pass one with many', async () => {
    mailServer.answerWith((address) => (address === 'ann@home.test' ? 'hang' : 'accept'));
    await replyTo(
      shop,
      'ann@home.test',
      Array.from({ length: 25 }, (_, n) => `${n}`),
    );
    await replyTo(other, 'ben@home.test', ['hello']);
    const drained = test.runDueJobs();
    await mailServer.until(() => arrivedAt('ben@home.test').length === 1);
    expect(arrivedAt('ann@home.test')).toEqual([]);
    mailServer.answerWith(() => 'accept');
    mailServer.release();
    await drained;
    expect(arrivedAt('ann@home.test')).toHaveLength(25);
  });
});

describe('a mail that cannot be sent', () => {
  it('is retried under the same message id until the mail server is back after two days', async () => {
    mailServer.answerWith(() => 451);
    await replyTo(shop, 'ann@home.test', ['hello']);
    for (let hours = 0; hours < 48; hours++) {
      await test.runDueJobs();
      test.clock.advance(HOUR);
    }
    expect([await listFailed(), mailServer.arrived]).toEqual([[], []]);
    mailServer.answerWith(() => 'accept');
    await test.runDueJobs();
    expect(arrivedAt('ann@home.test')).toHaveLength(1);
    test.clock.advance(HOUR);
    await test.runDueJobs();
    expect(mailServer.arrived).toHaveLength(1);
  });

  it('is listed as failed after three days and sent by a replay', async () => {
    mailServer.answerWith(() => 451);
    await replyTo(shop, 'ann@home.test', ['hello']);
    const start = test.clock.now().getTime();
    while ((await listFailed()).length === 0) {
      await test.runDueJobs();
      test.clock.advance(30 * MINUTE);
    }
    expect(Math.round((test.clock.now().getTime() - start) / (24 * HOUR))).toBe(3);
    const [failed] = await listFailed();
    expect(failed).toMatchObject({
      ...{ owner_id: shop.id, kind: 'ticket_reply', to: 'ann@home.test', subject: 'Lamp', attempts: 150 },
      last_error: expect.stringContaining('refused'),
    });
    expect(JSON.stringify(failed)).not.toContain('hello');
    mailServer.answerWith(() => 'accept');
    await test.runDueJobs();
    expect(mailServer.arrived).toEqual([]);
    expect((await replay({ mail_id: failed.id })).json()).toEqual({ replayed: 1 });
    await test.runDueJobs();
    expect(arrivedAt('ann@home.test')).toHaveLength(1);
    expect((await replay({ mail_id: failed.id })).statusCode).toBe(404);
  });

  it('is listed as failed immediately if the mail server rejects it permanently, and removed after 30 days', async () => {
    mailServer.answerWith(() => 550);
    await replyTo(shop, 'ann@home.test', ['1', '2', '3']);
    await test.runDueJobs();
    expect(await listFailed()).toHaveLength(3);
    const range = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
    expect((await replay(range)).json()).toEqual({ replayed: 3 });
    await test.runDueJobs();
    expect(await listFailed()).toHaveLength(3);
    test.clock.advance(31 * 24 * HOUR);
    await test.context.background.scheduler.run('remove-expired-tokens');
    expect(await listFailed()).toEqual([]);
  });

  it.each([{}, { mail_id: 'x', from: '2026-01-01T00:00:00Z' }, { from: '2026-01-01T00:00:00Z' }])(
    'is not replayed by %j',
    async (payload) => {
      expect((await replay(payload)).statusCode).toBe(400);
    },
  );

  it('is listed in pages', async () => {
    mailServer.answerWith(() => 550);
    await replyTo(shop, 'ann@home.test', ['1', '2', '3']);
    await test.runDueJobs();
    const headers = { authorization: `Bearer ${test.operatorToken}` };
    const get = async (query: string) =>
      (await test.app.inject({ url: `/operator/v1/mails/failed?${query}`, headers })).json();
    const first = await get('limit=2');
    const second = await get(`limit=2&after=${first.next}`);
    expect([first.mails.length, second.mails.length, second.next]).toEqual([2, 1, undefined]);
    expect(new Set([...first.mails, ...second.mails].map(({ id }) => id)).size).toBe(3);
    expect((await test.app.inject({ url: '/operator/v1/mails/failed?after=x', headers })).statusCode).toBe(400);
    await replay({ from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' });
    mailServer.answerWith(() => 'accept');
    await test.runDueJobs();
  });
});

describe('a mail that opens an account', () => {
  /** Everything that a copy of the database contains, as text. */
  const dump = async (): Promise<string> => {
    const { rows } = await test.context.database.query<{ name: string }>({
      text: `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
      values: [],
    });
    const tables = await Promise.all(
      rows.map(({ name }) =>
        test.context.database.pool.query<{ row: string }>(`/* platform */ select t::text as row from ${name} t`),
      ),
    );
    return tables.flatMap((table) => table.rows.map(({ row }) => row)).join('\n');
  };

  it('does not appear in any table, neither waiting nor failed nor sent', async () => {
    const { login } = await buildAgent(shop);
    mailServer.answerWith(() => 451);
    await test.app.inject({ method: 'POST', url: '/signin/forgotten', payload: { login } });
    await test.context.background.jobs.drain(test.context.background.jobHandlers);
    const dumps = [await dump()];
    await test.runDueJobs();
    dumps.push(await dump());
    mailServer.answerWith(() => 'accept');
    test.clock.advance(MINUTE);
    await test.runDueJobs();
    dumps.push(await dump());
    const [mail] = arrivedAt(login);
    const [, token] = /reset-password\?token=([\w-]{20,})/.exec(mail!.content)!;
    for (const text of dumps) {
      expect(text).toContain(login);
      for (const secret of [token!, Buffer.from(token!).toString('hex'), Buffer.from(token!).toString('base64')])
        expect(text.includes(secret)).toBe(false);
    }
    expect(dumps[0]).toContain('password_reset');
    expect(dumps[2]).not.toContain('password_reset');
  });
});

describe('two processes', () => {
  it('send each mail once', async () => {
    await using beside = await startTestApp({ beside: test, config: { smtpUrl: mailServer.url } });
    await replyTo(
      shop,
      'ann@home.test',
      Array.from({ length: 20 }, (_, n) => `${n}`),
    );
    await Promise.all([test.runDueJobs(), beside.runDueJobs()]);
    expect(new Set(arrivedAt('ann@home.test').map(({ messageId }) => messageId)).size).toBe(20);
    expect(mailServer.arrived).toHaveLength(20);
  });
});
