import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import {
  buildAgent,
  buildOrganization,
  type TestAgent,
  type TestOrganization,
} from '#server/testing/builders/factories.ts';
import { createOauthHelpers, linkTo, REDIRECT } from '../../testing/http/oauth.ts';

const test = useTestApp();
let shop: TestOrganization;
let alma: TestAgent;
let oauth: ReturnType<typeof createOauthHelpers>;
beforeAll(async () => {
  shop = await buildOrganization(test);
  alma = await buildAgent(shop);
  oauth = createOauthHelpers(test, shop, alma);
});

describe('codes', () => {
  const verifier = 'v'.repeat(50);
  const challenge = createHash('sha256').update(verifier).digest('base64url');

  const codeOf = async (client_id: string, more: Record<string, string> = {}) =>
    (await oauth.consent(linkTo(client_id, more))).searchParams.get('code')!;

  it.each([
    ['public', 'S256', challenge],
    ['confidential', 'S256', challenge],
    ['confidential', 'plain', verifier],
  ] as const)(
    'of %s clients are bound to their verifier by %s',
    async (type, code_challenge_method, code_challenge) => {
      const { client_id, client_secret } = await oauth.register({ type });
      const secret: Record<string, string> = client_secret ? { client_secret } : {};
      const form = { grant_type: 'authorization_code', client_id, ...secret, redirect_uri: REDIRECT };
      const more = { code_challenge, code_challenge_method };
      const wrongs: Record<string, string>[] = [{ code_verifier: 'w'.repeat(50) }, {}, { code_verifier: 'short' }];
      for (const wrong of wrongs)
        expect(
          (await oauth.exchange({ ...form, ...wrong, code: await codeOf(client_id, more) })).status,
        ).toBeGreaterThanOrEqual(400);
      const right = { ...form, code_verifier: verifier, code: await codeOf(client_id, more) };
      expect((await oauth.exchange(right)).status).toBe(200);
    },
  );

  it('a client without a secret needs a code challenge by S256', async () => {
    const { client_id } = await oauth.register({ type: 'public' });
    const plain = { code_challenge: verifier };
    for (const more of [{}, plain, { ...plain, code_challenge_method: 'plain' }]) {
      const { headers } = await test.app.inject(linkTo(client_id, more));
      expect(new URL(String(headers.location)).searchParams.get('oauth_exception')).toBe('invalid_request');
    }
  });

  it('using a code twice revokes what was issued for it', async () => {
    const { client_id, client_secret } = await oauth.register();
    const code = await codeOf(client_id);
    const form = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: REDIRECT, code };
    const first = await oauth.exchange(form);
    expect(await oauth.info(first.body.access_token)).toBe(200);
    expect(await oauth.exchange(form)).toMatchObject({ status: 401, body: { oauth_exception: 'invalid_grant' } });
    expect(await oauth.info(first.body.access_token)).toBe(401);
    expect(await oauth.info(first.body.refresh_token)).toBe(401);
  });

  it('concurrent exchanges of a code succeed once', async () => {
    const { client_id, client_secret } = await oauth.register();
    const form = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: REDIRECT };
    const code = await codeOf(client_id);
    const answers = await Promise.all([1, 2, 3].map(() => oauth.exchange({ ...form, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await oauth.info(answers.find(({ status }) => status === 200)!.body.access_token)).toBe(401);
  });

  it('a wrong client and a wrong code get different errors', async () => {
    const one = await oauth.register();
    const open = await oauth.register({ type: 'public' });
    const ask = async (more: Record<string, string>) => {
      const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT, ...one, code: 'dal-none', ...more };
      const { status, body } = await oauth.exchange(form);
      return [status, body.oauth_exception];
    };
    const wrong = [401, 'invalid_client'];
    expect(await ask({ client_secret: 'wrong' })).toEqual(wrong);
    expect(await ask({ client_id: randomUUID() })).toEqual(wrong);
    expect(await ask({ client_id: 'reporter' })).toEqual(wrong);
    expect(await ask({ client_id: open.client_id })).toEqual(wrong);
    const { client_id } = one;
    const withoutSecret = { grant_type: 'authorization_code', client_id, redirect_uri: REDIRECT, code: 'dal-none' };
    expect((await oauth.exchange(withoutSecret)).body.oauth_exception).toBe('invalid_client');
    expect(await ask({ grant_type: 'refresh_token', refresh_token: 'dal-none', client_secret: 'wrong' })).toEqual(
      wrong,
    );
    expect(await ask({})).toEqual([401, 'invalid_grant']);
  });

  it('a client may authenticate in the header only', async () => {
    const { client_id, client_secret } = await oauth.register();
    const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT, code: await codeOf(client_id) };
    const ask = async (secret: string) =>
      test.app.inject({
        ...{ method: 'POST', url: '/v2/token', payload: new URLSearchParams(form).toString() },
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`,
        },
      });
    expect((await ask('wrong')).json()).toMatchObject({ oauth_exception: 'invalid_client' });
    expect((await ask(client_secret)).statusCode).toBe(200);
  });

  it('a code works only for its client, redirect URI and time', async () => {
    const one = await oauth.register();
    const other = await oauth.register();
    const form = { grant_type: 'authorization_code', redirect_uri: REDIRECT };
    const use = async (more: Record<string, string>) =>
      (await oauth.exchange({ ...form, ...one, ...more, code: await codeOf(one.client_id) })).status;
    expect(await use({ ...other })).toBe(401);
    expect(await use({ client_secret: 'wrong' })).toBe(401);
    expect(await use({ redirect_uri: `${REDIRECT}/other` })).toBe(400);
    expect(
      (await oauth.exchange({ ...form, client_id: one.client_id, code: await codeOf(one.client_id) })).status,
    ).toBe(401);
    const late = await codeOf(one.client_id);
    test.clock.advance(5 * 60_000);
    expect((await oauth.exchange({ ...form, ...one, code: late })).status).toBe(401);
    expect((await oauth.exchange({ ...form, ...one, grant_type: 'password' })).status).toBe(400);
  });
});
