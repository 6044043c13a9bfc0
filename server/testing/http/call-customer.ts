import type { TestApp } from '../app/start-app.ts';
import type { TestCustomer, TestOrganization } from '../builders/factories.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their contract by the app; tests look into them freely.
export type Answer = { status: number; body: any; headers: Record<string, unknown> };

export type CallCustomer = (operation: string, body?: unknown) => Promise<Answer>;

/** Calls operations of the customer API as one customer. */
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

/** What a refusal of the chat APIs looks like, for `toMatchObject`. */
export const refusal = (status: number, type: string) => ({ status, body: { error: { type } } });
