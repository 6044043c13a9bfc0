/**
 * Conformance tests of the Customer Chat Web API v3.5, over HTTP and WebSocket only: one test per row of its tables.
 *
 * To run them against an existing server, on which each file creates its own organizations:
 *
 *   PARLEY_URL=https://chat.example.com PARLEY_OPERATOR_TOKEN=… npx vitest run e2e/conformance/customer
 *
 * Disable the rate limits of that server (RATE_LIMITS=off), otherwise requests may be rejected. Without PARLEY_URL each
 * file starts a server with an empty database. Only then can tests write directly to the database, for example to
 * create an expired license; such tests use `itWithDatabase` and are skipped on an external server.
 */
import { it } from 'vitest';
import { type Caller, createCaller } from './call.ts';
import { startOwnServer } from './own-server.ts';
import type { Target } from './target.ts';

export interface Organization {
  id: string;
  /** The Authorization header of the account owner. */
  owner: string;
  login: string;
  /** A new customer of this organization. */
  customer(): Promise<Caller>;
}

export const openTarget = async (env: Record<string, string> = {}): Promise<Target> => {
  const url = process.env.PARLEY_URL?.replace(/\/+$/, '');
  const operatorToken = process.env.PARLEY_OPERATOR_TOKEN;
  if (!url) return startOwnServer(env);
  if (!operatorToken) throw new Error('PARLEY_URL requires PARLEY_OPERATOR_TOKEN');
  return { url, operatorToken, close: async () => {} };
};

/** A test that needs direct access to the database. */
export const itWithDatabase = (target: Target) => it.skipIf(!target.runSql);

const postJson = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return JSON.parse(text);
};

export const newOrganization = async (
  { url, operatorToken, runSql }: Target,
  { online = false } = {},
): Promise<Organization> => {
  const created = await postJson(
    `${url}/operator/v1/organizations`,
    {
      name: 'Conformance',
      owner: { login: `owner-${crypto.randomUUID()}@shop.test`, name: 'Olga', password: 'a long password' },
    },
    { authorization: `Bearer ${operatorToken}` },
  );
  const id: string = created.organization_id;
  if (online) await runSql!(`update agents set status = 'accepting chats' where organization_id = $1`, [id]);
  return {
    id,
    login: created.owner.login,
    owner: `Bearer ${created.owner.api_key}`,
    customer: async () => {
      const token = await postJson(`${url}/v2/customer/token`, {
        grant_type: 'cookie',
        client_id: 'conformance',
        response_type: 'token',
        organization_id: id,
      });
      return createCaller({ url, organizationId: id, customerId: token.entity_id, token: token.access_token });
    },
  };
};
