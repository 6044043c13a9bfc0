import type { TestApp } from '#server/testing/app/start-app.ts';
import type { TestAgent } from '#server/testing/builders/factories.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  body: any;
}

/** Calls the operations API as an agent. Objects are sent as JSON and strings as form data, as older client libraries do. */
export const caller =
  ({ app }: TestApp, agent: TestAgent) =>
  async (method: Method, url: string, payload?: object | string): Promise<Answer> => {
    const type = typeof payload === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await app.inject({
      method,
      url,
      headers: { authorization: agent.basic, ...(payload === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : JSON.stringify(payload) }),
    });
    return { status: response.statusCode, body: response.json() };
  };

export type Call = ReturnType<typeof caller>;
