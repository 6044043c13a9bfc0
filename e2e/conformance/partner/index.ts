/**
 * Conformance tests of the Partner Program API v2, over HTTP only: one test per row of its tables; started like
 * e2e/conformance/customer. Commission is earned as in production: visitors sign up through partner links and the operator
 * records payments. The earlier shapes are in e2e/conformance/partner-earlier.
 */
import { expect } from 'vitest';
import { type ApiResponse, type Json, send } from '../customer/call.ts';
import { openTarget } from '../customer/index.ts';
import type { Target } from '../customer/target.ts';
import { createResponseLog } from './operations.ts';
import { createVisitor, type Visitor } from './visitor.ts';

export { type ApiResponse, type Json, send, type Visitor };

export const PASSWORD = 'a long password';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Objects are sent as JSON, strings and URL parameters as a form. */
export type Body = Json | string | URLSearchParams;

export interface Caller {
  sendRequest(method: Method, path: string, body?: Body, headers?: Record<string, string>): Promise<ApiResponse>;
  /** The body of a response with this status. */
  ok(status: number, method: Method, path: string, body?: Body): Promise<Json>;
}

export interface Partner extends Caller {
  id: string;
  login: string;
  token: string;
}

export interface License {
  id: string;
  number: number;
  login: string;
}

export interface Kit {
  target: Pick<Target, 'url' | 'operatorToken'>;
  operator: Caller;
  newPartner(more?: object): Promise<Partner>;
  /** The same partner with another token. */
  asPartner(partner: Pick<Partner, 'id' | 'login'>, token: string): Partner;
  /** A trial referred by the partner; `more` adds fields to the sign-up form. */
  newLicense(partner: { id: string } | undefined, more?: object): Promise<License>;
  /** Records a payment in cents and returns its external id. */
  pay(license: { id: string }, cents: number, more?: object): Promise<string>;
  /** A new visitor with an empty browser. */
  visitor(userAgent?: string): Visitor;
  /** Records a response of a request that was not sent through the kit. */
  record(method: string, path: string, status: number): void;
  /** The rows without a matching response. */
  untestedRows(rows: string[]): string[];
  close(): Promise<void>;
}

const encode = (body: Body): { body?: BodyInit; type?: string } => {
  if (body === undefined) return {};
  if (typeof body === 'string' || body instanceof URLSearchParams)
    return { body: String(body), type: 'application/x-www-form-urlencoded' };
  return { body: JSON.stringify(body), type: 'application/json' };
};

type RecordResponse = (method: string, path: string, status: number) => void;

const createCaller = (
  url: string,
  base: string,
  token: string | undefined,
  record: RecordResponse = () => {},
): Caller => {
  const sendRequest: Caller['sendRequest'] = async (method, path, input, headers = {}) => {
    const { body, type } = encode(input);
    const response = await send(`${url}${base}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    record(method, `${base}${path}`.split('?')[0]!, response.status);
    return response;
  };
  return {
    sendRequest,
    ok: async (status, method, path, body) => {
      const response = await sendRequest(method, path, body);
      expect({ method, path, status: response.status, body: response.body }).toMatchObject({ method, path, status });
      return response.body;
    },
  };
};

export const newAddress = (name: string): string => `${name}-${crypto.randomUUID()}@far.test`;
export const newName = (): string => crypto.randomUUID();

export const createKit = (target: Pick<Target, 'url' | 'operatorToken'>): Omit<Kit, 'close'> => {
  const { url, operatorToken } = target;
  const { record, untestedRows } = createResponseLog();
  const operator = createCaller(url, '/operator/v1', operatorToken);
  const asPartner: Kit['asPartner'] = ({ id, login }, token) => ({
    ...{ id, login, token },
    ...createCaller(url, '/v2/partners', token, record),
  });
  return {
    ...{ target, operator, asPartner, record, untestedRows },
    newPartner: async (more = {}) => {
      const login = newAddress('partner');
      const input = { login, password: PASSWORD, first_name: 'Paula', last_name: 'Partner', ...more };
      const { partner_id: id, token } = await operator.ok(201, 'POST', '/partners', input);
      return asPartner({ id, login: input.login }, token);
    },
    newLicense: async (partner, more = {}) => {
      const email = newAddress('owner');
      const trail = partner ? { a: partner.id } : {};
      const input = { email, name: 'Olga', password: PASSWORD, organization: 'Shop', ...trail, ...more };
      const body = await createCaller(url, '', undefined).ok(201, 'POST', '/signup', input);
      return { id: body.organization_id, number: body.license_id, login: body.login };
    },
    pay: async ({ id }, cents, more = {}) => {
      const external_id = newName();
      const input = { external_id, product: 'mainchat', amount_cents: cents, currency: 'USD', ...more };
      await operator.ok(201, 'POST', `/organizations/${id}/payments`, input);
      return external_id;
    },
    visitor: (userAgent) => createVisitor(url, userAgent),
  };
};

export const openKit = async (env: Record<string, string> = {}): Promise<Kit> => {
  const target = await openTarget(env);
  return { ...createKit(target), close: target.close };
};

const errorBody = {
  error: {
    type: expect.stringMatching(/^[a-z_]+$/),
    message: expect.stringMatching(/\S/),
  },
};

/** Checks the error body, and that its details name the field. */
export const expectError = ({ status, body }: ApiResponse, expected: number, field?: string): void => {
  expect({ status, body }).toMatchObject({ status: expected, body: errorBody });
  expect(Object.keys(body)).toEqual(['error']);
  if (field === undefined) return;
  const fields = (body.error.details ?? []).map((one: Json) => one.field);
  expect({ body, fields }).toMatchObject({ fields: expect.arrayContaining([field]) });
};

export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
export const NUMBER = expect.any(Number);
export const TEXT = expect.any(String);

/** `YYYY-MM-DD` in UTC, this many days from now. */
export const day = (from = 0): string => new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
/** From 30 days ago until tomorrow. */
export const RECENTLY = `date_from=${day(-30)}&date_to=${day(1)}`;

export const billing = {
  type: 'business',
  company: 'Partners Ltd',
  vat: 'GB123456789',
  address: '1 High Street',
  city: 'London',
  state: 'Greater London',
  zip_code: 'N1 9GU',
  country: 'GB',
  payout_account: 'payout@far.test',
};
