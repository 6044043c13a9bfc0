import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabaseLink } from '#server/testing/app/database-link.ts';
import { createTestDatabase, startTestApp, type TestApp } from '#server/testing/app/start-app.ts';

let test: TestApp;
let link: Awaited<ReturnType<typeof openDatabaseLink>>;
beforeAll(async () => {
  link = await openDatabaseLink(await createTestDatabase());
  test = await startTestApp({ connection: link.connection });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await link.cut();
});

const ask = async (url: string) => {
  const { statusCode, json } = await test.app.inject(url);
  return { status: statusCode, body: json() };
};

describe('health', () => {
  it('is live and ready', async () => {
    expect(await ask('/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
    expect(await ask('/health/ready')).toEqual({
      status: 200,
      body: { status: 'ready', database: true, bus: true, stopping: false },
    });
  });

  it('stays live but is not ready without the database', async () => {
    await link.cut();
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { database: false } });
    expect((await ask('/health/live')).status).toBe(200);
    await link.mend();
    expect((await ask('/health/ready')).status).toBe(200);
  });

  it('is not ready while the server shuts down', async () => {
    test.context.stopping = true;
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { stopping: true } });
    test.context.stopping = false;
  });

  it('counts requests by surface and operation, never by URL', async () => {
    await test.app.inject({ method: 'POST', url: '/v3.5/customer/action/list_chats?organization_id=x' });
    await test.app.inject('/operator/v1/a-secret-path');
    const { body } = await test.app.inject('/metrics');
    expect(body).toMatch(/surface="customer",operation="list_chats",status="\d{3}"/);
    expect(body).not.toContain('a-secret-path');
  });
});
