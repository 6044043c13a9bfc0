import type { Scope } from '#server/domain/accounts/oauth/scopes.ts';
import type { TestApp } from '#server/testing/app/start-app.ts';
import type { TestAgent, TestOrganization } from '#server/testing/builders/factories.ts';

export const REDIRECT = 'https://app.test/callback';
export const OWN_PAGE = { origin: 'http://parley.test', 'content-type': 'application/x-www-form-urlencoded' };

export const linkTo = (client_id: string, more: Record<string, string> = {}): string =>
  `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id, redirect_uri: REDIRECT, state: 'xyz', ...more })}`;

export const cookieOf = (headers: Record<string, unknown>): string => String(headers['set-cookie']).split(';')[0]!;

export const ticketOf = (page: string): string => /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? '';

/** Requests that agents and OAuth clients send to get a token. */
export const createOauthHelpers = ({ app }: TestApp, shop: TestOrganization, alma: TestAgent) => {
  const configure = async (agent: TestAgent, action: string, payload: object) => {
    const url = `/v3.5/configuration/action/${action}`;
    const response = await app.inject({ method: 'POST', url, headers: { authorization: agent.basic }, payload });
    return { status: response.statusCode, body: response.json() };
  };

  const register = async (input: { type?: 'public' | 'confidential'; scopes?: Scope[] } = {}) => {
    const { body } = await configure(shop.owner, 'register_oauth_client', {
      ...{ name: 'Reporter', redirect_uris: [REDIRECT], scopes: ['reports_read', 'agents_read'], type: 'confidential' },
      ...input,
    });
    return body as { client_id: string; client_secret: string };
  };

  const signIn = async ({ login }: Pick<TestAgent, 'login'>, password = 'a long password') => {
    const payload = { login, password };
    const { statusCode, headers, body } = await app.inject({ method: 'POST', url: '/signin', payload });
    return { status: statusCode, cookie: cookieOf(headers), setCookie: String(headers['set-cookie']), body };
  };

  const post = (
    url: string,
    cookie: string,
    form: Record<string, string>,
    headers: Record<string, string> = OWN_PAGE,
  ) =>
    app.inject({
      ...{ method: 'POST', url, headers: { ...headers, cookie } },
      payload: new URLSearchParams(form).toString(),
    });

  /** Signs in and decides on the consent page. Returns the URL that the agent is redirected to. */
  const consent = async (link: string, agent = alma, decision = 'allow'): Promise<URL> => {
    const { cookie } = await signIn(agent);
    const page = await app.inject({ url: link, headers: { cookie } });
    const response = await post(link, cookie, { ticket: ticketOf(page.body), decision });
    return new URL(String(response.headers.location));
  };

  const exchange = async (form: Record<string, string>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = new URLSearchParams(form).toString();
    const response = await app.inject({ method: 'POST', url: '/v2/token', headers, payload });
    return { status: response.statusCode, body: response.json() };
  };

  const refresh = (client: { clientId: string; clientSecret: string }, refresh_token: string) =>
    exchange({
      ...{ grant_type: 'refresh_token', client_id: client.clientId, client_secret: client.clientSecret },
      refresh_token,
    });

  const info = async (token: string): Promise<number> =>
    (await app.inject({ url: '/v2/info', headers: { authorization: `Bearer ${token}` } })).statusCode;

  return { configure, register, signIn, post, consent, exchange, refresh, info };
};
