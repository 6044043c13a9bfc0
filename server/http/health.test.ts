import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDatabaseProxy } from '#server/testing/app/database-proxy.ts';
import { createTestDatabase, startTestApp, type TestApp } from '#server/testing/app/start-app.ts';

let test: TestApp;
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
beforeAll(async () => {
  proxy = await startDatabaseProxy(await createTestDatabase());
  test = await startTestApp({ connection: proxy.connection });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await proxy.disconnect();
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
      body: { status: 'ready', database: true, storage: true, bus: true, stopping: false },
    });
  });

  it('stays live but is not ready without the database', async () => {
    await proxy.disconnect();
    expect(await ask('/health/ready')).toMatchObject({ status: 503, body: { database: false } });
    expect((await ask('/health/live')).status).toBe(200);
    await proxy.reconnect();
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
