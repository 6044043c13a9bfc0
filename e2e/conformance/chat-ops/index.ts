/**
 * Conformance tests of the Chat Operations REST API v2, over HTTP only: one test per row of its tables; started like
 * e2e/conformance/customer. Agents get their keys like real users: they sign in and open their profile.
 */
import { expect } from 'vitest';
import { type Agent as AgentV35, createAgent } from '../agent/agent-client.ts';
import { type ApiResponse, type Caller, createCaller, type Json, send } from '../customer/call.ts';
import { openTarget } from '../customer/index.ts';
import type { Target } from '../customer/target.ts';

export { type ApiResponse, type Json, openTarget, type Target };

export const PASSWORD = 'a long password';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Credential {
  authorization?: string;
  cookie?: string;
}

export interface RestAgent {
  login: string;
  key: string;
  sendRequest(method: Method, path: string, body?: Json): Promise<ApiResponse>;
  /** The body of a successful response, which always has status 200. */
  ok(method: Method, path: string, body?: Json): Promise<Json>;
  /** The same agent in the v3.5 API. */
  v35: AgentV35;
}

export interface Shop {
  id: string;
  license: number;
  owner: RestAgent;
  addAgent(name: string, more?: { permission?: 'administrator' | 'normal'; groups?: number[] }): Promise<RestAgent>;
  /** A new customer of the v3.5 API. */
  customer(): Promise<Caller>;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const callAs = (url: string, credential: Credential, method: Method, path: string, body?: Json) =>
  send(`${url}${path}`, {
    method,
    headers: {
      'x-api-version': '2',
      ...credential,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const createRestAgent = (url: string, login: string, key: string, name: string): RestAgent => {
  const sendRequest: RestAgent['sendRequest'] = (method, path, body) =>
    callAs(url, { authorization: basic(login, key) }, method, path, body);
  return {
    login,
    key,
    sendRequest,
    ok: async (method, path, body) => {
      const response = await sendRequest(method, path, body);
      expect({ method, path, status: response.status, body: response.body }).toMatchObject({
        method,
        path,
        status: 200,
      });
      return response.body;
    },
    v35: createAgent(url, { id: login, key, name }),
  };
};

const postJson = async (url: string, body: object, headers: Record<string, string> = {}): Promise<ApiResponse> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const response = await send(url, { ...init, body: JSON.stringify(body) });
  if (response.status > 299) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(response.body)}`);
  return response;
};

/** The session cookie of a signed-in agent. */
export const signIn = async (url: string, login: string, password = PASSWORD): Promise<string> => {
  const { headers } = await postJson(`${url}/signin`, { login, password });
  return headers.get('set-cookie')!.split(';')[0]!;
};

/** A session alone does not show the key. */
export const revealApiKey = async (url: string, cookie: string): Promise<string> => {
  const body = { current_password: PASSWORD };
  return (await postJson(`${url}/v3.5/agent/action/reveal_api_key`, body, { cookie, origin: url })).body.api_key;
};

export const newAddress = (name: string): string => `${name.toLowerCase()}-${crypto.randomUUID()}@shop.test`;

export const newShop = async ({ url, operatorToken }: Target, plan = 'business'): Promise<Shop> => {
  const made = await postJson(
    `${url}/operator/v1/organizations`,
    { name: 'Conformance', plan, owner: { login: newAddress('owner'), name: 'Olga', password: PASSWORD } },
    { authorization: `Bearer ${operatorToken}` },
  );
  const { organization_id: id, license_id: license, owner: person } = made.body;
  const owner = createRestAgent(url, person.login, person.api_key, 'Olga');
  return {
    id,
    license,
    owner,
    addAgent: async (name, more = {}) => {
      const login = newAddress(name);
      await owner.ok('POST', '/agents', { login, name, password: PASSWORD, ...more });
      const cookie = await signIn(url, login);
      return createRestAgent(url, login, await revealApiKey(url, cookie), name);
    },
    customer: async () => {
      const { body } = await postJson(`${url}/v2/customer/token`, {
        ...{ grant_type: 'cookie', client_id: 'conformance', response_type: 'token', organization_id: id },
      });
      return createCaller({ url, organizationId: id, customerId: body.entity_id, token: body.access_token });
    },
  };
};

/** Checks an error body, which has the fields that all known clients read. */
export const expectError = ({ status, body }: ApiResponse, expected: number): void => {
  const words = expect.stringMatching(/\S/);
  expect({ status, body }).toEqual({
    status: expected,
    body: { message: words, code: expected, error: body.message, errors: [body.message] },
  });
};

/** The date format of this API: `Wed, 01/23/13 11:40:53 am` is Wednesday, January 23. */
export const DATE_TEXT = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d\/\d\d\/\d\d (0[1-9]|1[0-2]):\d\d:\d\d (am|pm)$/;

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);
