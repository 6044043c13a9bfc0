import type { TestApp } from '#server/testing/app/start-app.ts';
import type { TestAgent } from '#server/testing/builders/factories.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came.
  body: any;
}

/** Calls as one agent: an object goes as JSON, a text as a form, as the old libraries write it. */
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
