import { expect } from 'vitest';
import { type ApiResponse, type Caller, type CallOptions, type Json, send } from '../customer/call.ts';
import { openSocket, type Socket } from './socket.ts';

export interface Agent {
  /** The login, or the id of a bot. */
  id: string;
  key: string;
  name: string;
  call(operation: string, payload?: Json, options?: CallOptions): Promise<ApiResponse>;
  /** The body of a successful response. */
  ok(operation: string, payload?: Json): Promise<Json>;
  /** Calls an operation of the configuration API. */
  configure(operation: string, payload?: Json): Promise<ApiResponse>;
  /** A logged-in socket; away unless the login says otherwise, so that it does not change the status. */
  logIn(login?: object): Promise<Socket & { welcome: Json }>;
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

export const createAgent = (url: string, { id, key, name }: Pick<Agent, 'id' | 'key' | 'name'>): Agent => {
  const post = (path: string, payload: Json, { headers, query, raw, method = 'POST' }: CallOptions = {}) =>
    send(`${url}${path}?${new URLSearchParams((query ?? {}) as Record<string, string>)}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(raw === undefined && method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(method === 'POST' ? { body: raw ?? JSON.stringify(payload) } : {}),
    });
  const call: Agent['call'] = (operation, payload = {}, options = {}) =>
    post(options.path ?? `/v3.5/agent/action/${operation}`, payload, options);
  return {
    id,
    key,
    name,
    call,
    ok: async (operation, payload) => {
      const { status, body } = await call(operation, payload);
      expect({ operation, status, body }).toMatchObject({ operation, status: 200 });
      return body;
    },
    configure: (operation, payload = {}) => post(`/v3.5/configuration/action/${operation}`, payload),
    logIn: async (login = { away: true }) => {
      const socket = await openSocket(`${url}/v3.5/agent/rtm/ws`);
      return { ...socket, welcome: await socket.ok('login', { token: `Bearer ${key}`, ...login }) };
    },
  };
};

/** A logged-in socket of a customer. */
export const logInCustomer = async ({ url, organizationId, token }: Caller, login: object = {}): Promise<Socket> => {
  const socket = await openSocket(`${url}/v3.5/customer/rtm/ws?organization_id=${organizationId}`);
  await socket.ok('login', { token: `Bearer ${token}`, ...login });
  return socket;
};
