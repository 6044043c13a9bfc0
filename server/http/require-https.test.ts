import { describe, expect, it } from 'vitest';
import { startTestApp } from '#server/testing/app/start-app.ts';

describe('REQUIRE_HTTPS', () => {
  it('rejects plain HTTP and trusts only configured proxies', async () => {
    await using strict = await startTestApp({ config: { requireHttps: true, trustedProxies: ['10.1.1.1'] } });
    const ask = async (headers: Record<string, string>, remoteAddress: string, url = '/tracking.js') =>
      (await strict.app.inject({ url, headers, remoteAddress })).statusCode;
    expect(await ask({}, '10.1.1.1')).toBe(403);
    expect(await ask({ 'x-forwarded-proto': 'https' }, '10.2.2.2')).toBe(403);
    expect(await ask({ 'x-forwarded-proto': 'http' }, '10.1.1.1')).toBe(403);
    expect(await ask({ 'x-forwarded-proto': 'https' }, '10.1.1.1')).toBe(200);
    expect(await ask({}, '10.2.2.2', '/health/live')).toBe(200);
    const rejected = await strict.app.inject({ url: '/agents', remoteAddress: '10.2.2.2' });
    expect(rejected.json()).toMatchObject({ code: 403 });
  });
});
