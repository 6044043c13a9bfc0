/**
 * The Chat Operations REST API v2 seen from outside: one test per row of its tables, over HTTP alone; started like
 * e2e/conformance/customer. Agents get their keys as people do: they sign in and look into their profile.
 */
import { expect } from 'vitest';
import { createAgent, type Agent as FloorAgent } from '../agent/people.ts';
import { type Answer, type Caller, createCaller, type Json, send } from '../customer/call.ts';
import { openTarget } from '../customer/index.ts';
import type { Target } from '../customer/target.ts';

export { type Answer, type Json, openTarget, type Target };

export const PASSWORD = 'a long password';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Credential {
  authorization?: string;
  cookie?: string;
}

export interface Clerk {
  login: string;
  key: string;
  ask(method: Method, path: string, body?: Json): Promise<Answer>;
  /** The answer of a call that has to succeed: 200 and nothing else. */
  ok(method: Method, path: string, body?: Json): Promise<Json>;
  /** The same agent at the v3.5 API. */
  floor: FloorAgent;
}

export interface Shop {
  id: string;
  license: number;
  owner: Clerk;
  hire(name: string, more?: { permission?: 'administrator' | 'normal'; groups?: number[] }): Promise<Clerk>;
  /** A new customer of the v3.5 API. */
  customer(): Promise<Caller>;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const askAs = (url: string, credential: Credential, method: Method, path: string, body?: Json) =>
  send(`${url}${path}`, {
    method,
    headers: {
      'x-api-version': '2',
      ...credential,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const createClerk = (url: string, login: string, key: string, name: string): Clerk => {
  const ask: Clerk['ask'] = (method, path, body) =>
    askAs(url, { authorization: basic(login, key) }, method, path, body);
  return {
    login,
    key,
    ask,
    ok: async (method, path, body) => {
      const answer = await ask(method, path, body);
      expect({ method, path, status: answer.status, body: answer.body }).toMatchObject({ method, path, status: 200 });
      return answer.body;
    },
    floor: createAgent(url, { id: login, key, name }),
  };
};

const postJson = async (url: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
  const answer = await send(url, { ...init, body: JSON.stringify(body) });
  if (answer.status > 299) throw new Error(`${url} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
};

/** The cookie of a person who has signed in. */
export const signIn = async (url: string, login: string, password = PASSWORD): Promise<string> => {
  const { headers } = await postJson(`${url}/signin`, { login, password });
  return headers.get('set-cookie')!.split(';')[0]!;
};

export const newAddress = (name: string): string => `${name.toLowerCase()}-${crypto.randomUUID()}@shop.test`;

export const newShop = async ({ url, operatorToken }: Target, plan = 'business'): Promise<Shop> => {
  const made = await postJson(
    `${url}/operator/v1/organizations`,
    { name: 'Conformance', plan, owner: { login: newAddress('owner'), name: 'Olga', password: PASSWORD } },
    { authorization: `Bearer ${operatorToken}` },
  );
  const { organization_id: id, license_id: license, owner: person } = made.body;
  const owner = createClerk(url, person.login, person.api_key, 'Olga');
  return {
    id,
    license,
    owner,
    hire: async (name, more = {}) => {
      const login = newAddress(name);
      await owner.ok('POST', '/agents', { login, name, password: PASSWORD, ...more });
      const cookie = await signIn(url, login);
      const profile = await askAs(url, { cookie }, 'GET', `/agents/${login}`);
      return createClerk(url, login, profile.body.api_key, name);
    },
    customer: async () => {
      const { body } = await postJson(`${url}/v2/customer/token`, {
        ...{ grant_type: 'cookie', client_id: 'conformance', response_type: 'token', organization_id: id },
      });
      return createCaller({ url, organizationId: id, customerId: body.entity_id, token: body.access_token });
    },
  };
};

/** One body for every client that is known. */
export const expectRefusal = ({ status, body }: Answer, expected: number): void => {
  const words = expect.stringMatching(/\S/);
  expect({ status, body }).toEqual({
    status: expected,
    body: { message: words, code: expected, error: body.message, errors: [body.message] },
  });
};

/** Wednesday, the 23rd of January: `Wed, 01/23/13 11:40:53 am`. */
export const DATE_TEXT = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d\/\d\d\/\d\d (0[1-9]|1[0-2]):\d\d:\d\d (am|pm)$/;

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);
