import type { TestApp } from '../app/start-app.ts';
import type { TestAgent } from '../builders/factories.ts';
import type { Answer } from './call-customer.ts';

/** Calls operations of the agent or the configuration API. */
export const callAsAgent =
  ({ app }: TestApp, surface: 'agent' | 'configuration' = 'agent') =>
  async ({ apiKey }: Pick<TestAgent, 'apiKey'>, operation: string, payload: object = {}): Promise<Answer> => {
    const response = await app.inject({
      method: 'POST',
      url: `/v3.5/${surface}/action/${operation}`,
      headers: { authorization: `Bearer ${apiKey}` },
      payload,
    });
    return { status: response.statusCode, body: response.json(), headers: response.headers };
  };
