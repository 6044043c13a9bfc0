import type { TestApp } from '#server/testing/app/start-app.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface TestAnswer {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field.
  body: any;
}

/** Calls the partner API. Objects are sent as JSON and strings as form data. */
export const callAs =
  (test: () => TestApp, token: () => string | undefined) =>
  async (method: Method, path: string, body?: object | string): Promise<TestAnswer> => {
    const bearer = token();
    const response = await test().app.inject({
      method,
      url: `/v2/partners${path}`,
      headers: {
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
        ...(typeof body === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: response.payload === '' ? undefined : response.json(),
    };
  };
