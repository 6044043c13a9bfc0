import { beforeAll, describe, expect, it } from 'vitest';
import { deleteAgent } from '#server/domain/support/agents/profile/delete-agent.ts';
import { buildOauthClient } from '#server/testing/app/oauth-client.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { waitForLockWaiter } from '#server/testing/app/wait-for-lock-waiter.ts';
import { agentScope } from '#server/testing/builders/chats.ts';
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

describe('refresh tokens', () => {
  it('refresh tokens rotate, and reusing one revokes the grant', async () => {
    const program = await buildOauthClient(test, shop, alma, ['reports_read']);
    const first = await oauth.refresh(program, program.refreshToken);
    expect(first.status).toBe(200);
    const second = await oauth.refresh(program, first.body.refresh_token);
    expect(second.status).toBe(200);
    expect(await oauth.refresh(program, first.body.refresh_token)).toMatchObject({
      status: 401,
      body: { oauth_exception: 'invalid_grant' },
    });
    for (const token of [program.accessToken, first.body.access_token, second.body.access_token])
      expect(await oauth.info(token)).toBe(401);
    expect((await oauth.refresh(program, second.body.refresh_token)).status).toBe(401);
  });

  it('a refresh token is not an access token and belongs to one client', async () => {
    const program = await buildOauthClient(test, shop, alma, ['agents_read']);
    const headers = { authorization: `Bearer ${program.refreshToken}` };
    expect((await test.app.inject({ url: '/agents', headers })).statusCode).toBe(401);
    const other = await buildOauthClient(test, shop, alma, ['agents_read']);
    expect((await oauth.refresh(other, program.refreshToken)).status).toBe(401);
    expect((await oauth.refresh({ ...program, clientSecret: 'wrong' }, program.refreshToken)).status).toBe(401);
    expect((await oauth.refresh(program, program.refreshToken)).status).toBe(200);
  });

  it('beyond 25 refresh tokens the oldest are revoked, like access tokens', async () => {
    const { client_id, client_secret } = await oauth.register();
    const tokens: string[] = [];
    for (let n = 0; n < 26; n++) {
      const code = (await oauth.consent(linkTo(client_id))).searchParams.get('code')!;
      const form = { grant_type: 'authorization_code', client_id, client_secret, redirect_uri: REDIRECT, code };
      tokens.push((await oauth.exchange(form)).body.access_token);
    }
    expect([await oauth.info(tokens[0]!), await oauth.info(tokens[1]!), await oauth.info(tokens[25]!)]).toEqual([
      401, 200, 200,
    ]);
  });

  it('a refresh that asks for too much scope does not use up the token', async () => {
    const program = await buildOauthClient(test, shop, alma, ['agents_read']);
    const form = {
      ...{ grant_type: 'refresh_token', client_id: program.clientId, client_secret: program.clientSecret },
      refresh_token: program.refreshToken,
    };
    for (const scope of ['agents_read agents_write', 'everything', '"'])
      expect((await oauth.exchange({ ...form, scope })).status).toBe(400);
    expect((await oauth.exchange({ ...form, scope: 'agents_read' })).status).toBe(200);
  });

  it('tokens and sessions end with their agent, also if the login is reused', async () => {
    const leaving = await buildAgent(shop);
    const program = await buildOauthClient(test, shop, leaving, ['agents_read']);
    const { cookie } = await oauth.signIn(leaving);
    const isOver = async () => {
      expect(await oauth.info(program.accessToken)).toBe(401);
      expect((await oauth.refresh(program, program.refreshToken)).status).toBe(401);
      expect((await test.app.inject({ url: '/agents', headers: { cookie } })).statusCode).toBe(401);
    };
    await deleteAgent(agentScope(shop, shop.owner, 'owner'), { login: leaving.login });
    await isOver();
    await buildAgent(shop, { login: leaving.login });
    await isOver();
  });
});

describe('revoking', () => {
  it('revoking an access token affects it alone, revoking a refresh token the whole grant', async () => {
    const program = await buildOauthClient(test, shop, alma, ['agents_read']);
    const revoke = async (token: string) =>
      (
        await test.app.inject({ method: 'DELETE', url: '/v2/token', headers: { authorization: `Bearer ${token}` } })
      ).json();
    expect(await revoke(program.accessToken)).toEqual({});
    expect([await oauth.info(program.accessToken), await oauth.info(program.refreshToken)]).toEqual([401, 200]);
    expect(await revoke(program.refreshToken)).toEqual({});
    expect(await oauth.info(program.refreshToken)).toBe(401);
    expect(await revoke(program.refreshToken)).toMatchObject({ oauth_exception: 'invalid_grant' });
  });

  it('revoking also revokes tokens that are issued concurrently', async () => {
    const program = await buildOauthClient(test, shop, alma, ['agents_read']);
    const revoked = await shop.scope.transaction(async (tx) => {
      const held = tx.from('oauthTokens').where('familyId', '=', program.grantId).where('kind', '=', 'refresh');
      const { organizationId: _, number: __, ...token } = await held.selectAll().forUpdate().executeTakeFirstOrThrow();
      const revoking = oauth.configure(alma, 'revoke_oauth_grant', { id: program.grantId });
      await waitForLockWaiter(test);
      await tx.insert('oauthTokens', { ...token, id: Buffer.from('another'), kind: 'access' }).execute();
      return { revoking };
    });
    expect((await revoked.revoking).status).toBe(200);
    const left = shop.scope.from('oauthTokens').where('familyId', '=', program.grantId).select('kind');
    expect(await left.execute()).toEqual([]);
  });

  it('agents see their own grants, administrators all', async () => {
    const [one, other] = [await buildAgent(shop), await buildAgent(shop)];
    const program = await buildOauthClient(test, shop, one, ['agents_read']);
    const mine = await oauth.configure(one, 'list_oauth_grants', {});
    expect(mine.body).toMatchObject([
      { id: program.grantId, client_id: program.clientId, agent_id: one.login, access_tokens: 1, refresh_tokens: 1 },
    ]);
    expect((await oauth.configure(other, 'list_oauth_grants', {})).body).toEqual([]);
    expect((await oauth.configure(other, 'revoke_oauth_grant', { id: program.grantId })).status).toBe(404);
    expect((await oauth.configure(shop.owner, 'list_oauth_grants', {})).body).toContainEqual(mine.body[0]);
    expect((await oauth.configure(one, 'revoke_oauth_grant', { id: program.grantId })).status).toBe(200);
    expect(await oauth.info(program.accessToken)).toBe(401);
  });

  it('administrators manage clients, and deleting one revokes its tokens', async () => {
    const program = await buildOauthClient(test, shop, alma, ['agents_read']);
    expect((await oauth.configure(alma, 'list_oauth_clients', {})).status).toBe(403);
    const { body } = await oauth.configure(shop.owner, 'list_oauth_clients', {});
    const listed = body.find((one: { client_id: string }) => one.client_id === program.clientId);
    expect(listed).toMatchObject({ redirect_uris: [REDIRECT], type: 'confidential' });
    expect(JSON.stringify(listed)).not.toContain(program.clientSecret);
    const stranger = await buildOrganization(test);
    expect((await oauth.configure(stranger.owner, 'delete_oauth_client', { client_id: program.clientId })).status).toBe(
      404,
    );
    expect((await oauth.configure(shop.owner, 'delete_oauth_client', { client_id: program.clientId })).status).toBe(
      200,
    );
    expect(await oauth.info(program.accessToken)).toBe(401);
  });
});
