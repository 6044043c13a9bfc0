import type { TestApp } from '../app/start-app.ts';
import type { TestCustomer, TestOrganization } from '../builders/factories.ts';

// biome-ignore lint/suspicious/noExplicitAny: the app checks responses against their contract; tests read any field.
export type Answer = { status: number; body: any; headers: Record<string, unknown> };

export type CallCustomer = (operation: string, body?: unknown) => Promise<Answer>;

/** Calls operations of the customer API as the given customer. */
export const callAs =
  ({ app }: TestApp, organization: TestOrganization, customer: TestCustomer): CallCustomer =>
  async (operation, body = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: `/v3.5/customer/action/${operation}?organization_id=${organization.id}`,
      headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };

export const message = (text: string, extra: object = {}) => ({ type: 'message', text, ...extra });

/** The error response of the chat APIs, for `toMatchObject`. */
export const errorResponse = (status: number, type: string) => ({ status, body: { error: { type } } });
