import { beforeEach, describe, expect, it } from 'vitest';
import { verifyPassword } from '#server/domain/passwords.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { type Call, caller } from '../../testing/http/chat-ops.ts';

const DAY_MS = 24 * 3600 * 1000;

const test = useTestApp();
let organization: TestOrganization;
let asOwner: Call;
let login: string;
let count = 0;

beforeEach(async () => {
  organization = await buildOrganization(test);
  asOwner = caller(test, organization.owner);
  login = `invited-${++count}@shop.test`;
});

const invite = (address = login) =>
  asOwner('POST', '/agents', { login: address, name: '<b>Buy now</b> http://spam.test' });
const lastMail = async () => {
  await test.runDueJobs();
  return (await test.context.ports.outbox!.list()).map(({ mail }) => mail).find(({ to }) => to.address === login)!;
};
const linkOf = async () => /\/activate\/[\w-]+/.exec((await lastMail()).text)![0];
const open = (url: string) => test.app.inject({ method: 'GET', url });
const choose = (url: string, password: string) =>
  test.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `password=${encodeURIComponent(password)}`,
  });
const passwordOf = async () =>
  (await organization.scope.from('agents').where('id', '=', login).select('passwordHash').executeTakeFirstOrThrow())
    .passwordHash;

describe('an agent without a password', () => {
  it('receives an activation email without any text from the administrator', async () => {
    expect(await invite()).toMatchObject({ status: 200, body: { status: 'offline' } });
    const { subject, text } = await lastMail();
    expect(text).toContain('http://parley.test/activate/');
    expect(`${subject}${text}`).not.toMatch(/Buy now|spam|Test shop/);
  });

  it('can set a password once, and opening the link does not consume it', async () => {
    await invite();
    const link = await linkOf();
    for (let n = 0; n < 2; n++) expect((await open(link)).body).toContain(login);
    expect(await passwordOf()).toBeNull();
    expect((await choose(link, 'short')).statusCode).toBe(400);
    expect((await choose(link, 'pass word & more')).statusCode).toBe(200);
    expect(await verifyPassword('pass word & more', await passwordOf())).toBe(true);
    expect((await choose(link, 'another password')).statusCode).toBe(404);
    expect((await open(link)).statusCode).toBe(404);
  });

  it('can set only one password in concurrent requests', async () => {
    await invite();
    const link = await linkOf();
    const answers = await Promise.all([choose(link, 'the first password'), choose(link, 'the second one')]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404]);
  });

  it('cannot activate after seven days, after removal or with an existing password', async () => {
    await invite();
    const link = await linkOf();
    const password = { password: 'by the owner', current_password: 'a long password' };
    expect((await asOwner('PUT', `/agents/${login}`, password)).status).toBe(200);
    expect((await choose(link, 'a good password')).statusCode).toBe(404);
    login = `invited-${++count}@shop.test`;
    await invite();
    const removed = await linkOf();
    await asOwner('DELETE', `/agents/${login}`);
    expect((await open(removed)).statusCode).toBe(404);
    login = `invited-${++count}@shop.test`;
    await invite();
    const late = await linkOf();
    test.clock.advance(7 * DAY_MS - 1);
    expect((await open(late)).statusCode).toBe(200);
    test.clock.advance(1);
    expect((await choose(late, 'a good password')).statusCode).toBe(404);
  });

  it('cannot activate with an unknown secret', async () => {
    expect((await open('/activate/made-up')).statusCode).toBe(404);
    expect((await choose('/activate/made-up', 'a good password')).statusCode).toBe(404);
  });
});

describe('activation mails', () => {
  it('are limited to one hundred per hour', async () => {
    const addresses = Array.from({ length: 100 }, (_, n) => `many-${count}-${n}@shop.test`);
    for (const address of addresses) expect((await invite(address)).status).toBe(200);
    expect((await invite()).status).toBe(429);
    expect((await asOwner('GET', `/agents/${login}`)).status).toBe(404);
    expect((await asOwner('POST', '/agents', { login, name: 'With one', password: 'x7-Qz' })).status).toBe(200);
    test.clock.advance(3600 * 1000);
    expect((await invite(`later-${count}@shop.test`)).status).toBe(200);
  });
});
