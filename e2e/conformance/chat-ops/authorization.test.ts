import { afterAll, describe, expect, it } from 'vitest';
import { authorizeApp, SCOPES } from './authorize-app.ts';
import { type ApiResponse, basic, type Credential, callAs, expectError, newShop, openTarget } from './index.ts';
import { createExample, type Operation, operations, skipIds } from './operations.ts';

const target = await openTarget();
afterAll(target.close);

describe('authorization', async () => {
  const [shop, other] = [await newShop(target), await newShop(target)];
  const normalAgent = await shop.addAgent('Norma');
  const example = await createExample(shop);
  await skipIds(other);
  const elsewhere = await createExample(other);
  const issueToken = await authorizeApp(target.url, shop);
  const tokenWithout: Record<string, string> = {};
  for (const scope of SCOPES) tokenWithout[scope] = await issueToken(SCOPES.filter((one) => one !== scope));
  const fullToken = await issueToken(SCOPES);

  const send = (credential: Credential, { method, path, body }: Operation, about = example): Promise<ApiResponse> =>
    callAs(target.url, credential, method, path(about), body?.(about));
  const bearer = (token: string): Credential => ({ authorization: `Bearer ${token}` });

  // Operations that any agent may call come first, because the last ones delete objects.
  describe.each(operations.map((one) => [one.row, one] as const))('%s', (_, operation) => {
    it('rejects missing and wrong credentials', async () => {
      expectError(await send({}, operation), 401);
      expectError(await send({ authorization: basic(shop.owner.login, 'dal-wrong') }, operation), 401);
      expectError(await send({ authorization: basic(shop.owner.login, normalAgent.key) }, operation), 401);
      expectError(await send({ authorization: basic('nobody@shop.test', shop.owner.key) }, operation), 401);
      expectError(await send(bearer('dal-wrong'), operation), 401);
    });

    it(`rejects an app without the scope ${operation.scope}`, async () => {
      expectError(await send(bearer(tokenWithout[operation.scope]!), operation), 403);
    });

    it(operation.managers ? 'rejects a normal agent' : 'allows a normal agent', async () => {
      const response = await send({ authorization: basic(normalAgent.login, normalAgent.key) }, operation);
      if (operation.managers) expectError(response, 403);
      else expect(response).toMatchObject({ status: 200 });
    });

    if (operation.named)
      it('returns 404 for objects of another organization', async () => {
        const owner = { authorization: basic(shop.owner.login, shop.owner.key) };
        // Tags are identified by name, so both organizations may have the same one.
        const about = { ...elsewhere, tag: 'of nobody here' };
        expectError(await send(owner, operation, about), 404);
        // Apps never get API keys, not even those of their own organization.
        const statusForApp = operation.row.endsWith('reset_api_key') ? 403 : 404;
        expectError(await send(bearer(fullToken), operation, about), statusForApp);
      });
  });

  it('rejected requests change nothing', async () => {
    const { owner } = shop;
    const again = await Promise.all(
      operations
        .filter(({ method, named }) => method === 'GET' && named)
        .map(async (one) => ({ row: one.row, status: (await owner.sendRequest('GET', one.path(example))).status })),
    );
    expect(again.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await owner.ok('GET', `/agents/${example.login}`)).toMatchObject({ job_title: 'Support Agent' });
    expect(await owner.ok('GET', `/groups/${example.group}`)).toMatchObject({ name: 'Sales' });
    expect((await owner.ok('GET', '/webhooks')).events).toHaveLength(1);
    expect((await other.owner.ok('GET', `/tickets/${elsewhere.ticket}`)).tags).toEqual([]);
  });

  it('an app with every scope can read what the agent can read, except API keys', async () => {
    for (const operation of operations.filter(({ method }) => method === 'GET'))
      expect({ row: operation.row, ...(await send(bearer(fullToken), operation)) }).toMatchObject({
        row: operation.row,
        status: 200,
      });
    const own = await callAs(target.url, bearer(fullToken), 'GET', `/agents/${shop.owner.login}`);
    expect(own.body).not.toHaveProperty('api_key');
  });
});

describe('visitor operations, authorized by their session', async () => {
  const [shop, other] = [await newShop(target), await newShop(target)];
  const start = { licence_id: shop.license, welcome_message: 'Hello?' };
  const started = await callAs(target.url, {}, 'POST', '/visitors/v1/chat/start', start);
  const { secured_session_id } = started.body;

  it.each([
    ['a wrong session', 'v1', { licence_id: shop.license, secured_session_id: 'wrong' }],
    ['another visitor’s session', 'v2', { licence_id: shop.license, secured_session_id }],
    ['another license', 'v1', { licence_id: other.license, secured_session_id }],
  ])('%s is rejected', async (_, visitor, session) => {
    const path = `/visitors/${visitor}/chat`;
    const query = new URLSearchParams({ ...session, licence_id: String(session.licence_id) });
    const responses = [
      await callAs(target.url, {}, 'GET', `${path}/get_pending_messages?${query}`),
      await callAs(target.url, {}, 'POST', `${path}/send_message`, { ...session, message: 'I am in' }),
      await callAs(target.url, {}, 'POST', `${path}/close`, session),
    ];
    for (const response of responses) expectError(response, 401);
    const { chats } = await shop.owner.ok('GET', '/chats?include_pending=1&visitor_id=v1');
    expect(chats).toMatchObject([{ pending: true, messages: [{ text: 'Hello?' }] }]);
  });

  it('chat/start returns 404 for an unknown license', async () => {
    const body = { ...start, licence_id: 2_000_000_000 };
    expectError(await callAs(target.url, {}, 'POST', '/visitors/v1/chat/start', body), 404);
  });

  it('details rejects a token, license or visitor that do not belong together', async () => {
    const hook = { event_type: 'chat_started', data_types: ['visitor'], url: 'https://far.test/hook' };
    const { token } = (await shop.owner.ok('POST', '/webhooks', hook)).events[0];
    const set = { id: 'crm', fields: [{ name: 'Plan', value: 'gold' }] };
    const tell = (visitor: string, license: number, secret: string) =>
      callAs(target.url, {}, 'POST', `/visitors/${visitor}/details`, { license_id: license, token: secret, ...set });
    expectError(await tell('v1', shop.license, 'wrong'), 401);
    expectError(await tell('v1', other.license, token), 401);
    expectError(await tell('nobody', shop.license, token), 404);
    expect(await tell('v1', shop.license, token)).toMatchObject({ status: 200 });
  });
});
