import { send } from '../customer/call.ts';
import { PASSWORD, type Shop, signIn } from './index.ts';

const AREAS = [
  ...['agents', 'groups', 'archives', 'goals', 'greetings', 'canned_responses'],
  ...['tags', 'tickets', 'visitors', 'reports', 'webhooks'],
];

export const SCOPES: string[] = AREAS.flatMap((area) => [`${area}_read`, `${area}_write`]);

const REDIRECT = 'https://program.test/back';

/** Authorizes an OAuth app through the consent pages and returns tokens with the requested scopes. */
export const authorizeApp = async (url: string, { owner }: Shop) => {
  const registered = await owner.v35.configure('register_oauth_client', {
    ...{ name: 'Conformance', redirect_uris: [REDIRECT], scopes: SCOPES, type: 'confidential' },
  });
  if (registered.status !== 200)
    throw new Error(`registering the OAuth client failed: ${JSON.stringify(registered.body)}`);
  const { client_id, client_secret } = registered.body;
  const cookie = await signIn(url, owner.login, PASSWORD);

  return async (scopes: string[]): Promise<string> => {
    const params = { response_type: 'code', client_id, redirect_uri: REDIRECT, state: 's', scope: scopes.join(',') };
    const link = `${url}/oauth/authorize?${new URLSearchParams(params)}`;
    const page = await send(link, { headers: { cookie } });
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const response = await send(link, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ ticket, decision: 'allow' }),
    });
    const code = new URL(response.headers.get('location')!).searchParams.get('code')!;
    const exchange = { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri: REDIRECT };
    const { body } = await send(`${url}/v2/token`, { method: 'POST', body: new URLSearchParams(exchange) });
    return body.access_token;
  };
};
