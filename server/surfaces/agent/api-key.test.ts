import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildAgent, buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { buildTwoFactorDevice } from '#server/testing/builders/two-factor.ts';
import { signInBrowser } from '#server/testing/http/agent-browser.ts';

const current_password = 'a long password';

const test = useTestApp();
let shop: TestOrganization;
beforeAll(async () => {
  shop = await buildOrganization(test);
});

describe('a session', () => {
  it('never shows the API key, neither in the profile nor after a reset or a change', async () => {
    const alma = await buildAgent(shop);
    const { cookie, post } = await signInBrowser(test, alma);
    const headers = { cookie, origin: 'http://parley.test' };
    const url = `/agents/${alma.login}`;
    for (const request of [
      { url },
      { method: 'PUT', url, payload: { job_title: 'Boss' } },
      { method: 'POST', url: `${url}/reset_api_key` },
      { method: 'PUT', url: `${url}/reset_api_key` },
    ] as const) {
      const response = await test.app.inject({ ...request, headers });
      expect([response.statusCode, response.json()]).toEqual([
        200,
        expect.not.objectContaining({ api_key: expect.anything() }),
      ]);
    }
    const revealed = await post('/v3.5/agent/action/reveal_api_key', { current_password });
    expect(revealed.body.api_key).not.toBe(alma.apiKey);
    const byKey = await test.app.inject({ url, headers: { authorization: `Bearer ${revealed.body.api_key}` } });
    expect(byKey.json().api_key).toBe(revealed.body.api_key);
  });
});

describe('reveal_api_key', () => {
  it('requires the password', async () => {
    const alma = await buildAgent(shop);
    const browser = await signInBrowser(test, alma);
    expect(await browser.call('reveal_api_key', { current_password })).toEqual({
      ...{ status: 200, body: { api_key: alma.apiKey } },
    });
    for (const payload of [{}, { current_password: '' }, { current_password: 'wrong' }]) {
      const { status, body } = await browser.call('reveal_api_key', payload);
      expect([status, body.error.type]).toEqual([400, 'validation']);
    }
  });

  it('also requires a code if two-factor authentication is on, and each code works once', async () => {
    const alma = await buildAgent(shop);
    const browser = await signInBrowser(test, alma);
    const device = await buildTwoFactorDevice(shop.scope, alma.login);
    for (const code of [undefined, null, '', '000000'])
      expect((await browser.call('reveal_api_key', { current_password, code })).status).toBe(400);
    const code = device.code();
    const body = { api_key: alma.apiKey };
    expect(await browser.call('reveal_api_key', { current_password, code })).toEqual({ status: 200, body });
    expect((await browser.call('reveal_api_key', { current_password, code })).status).toBe(400);
  });

  it('limits wrong passwords', async () => {
    const alma = await buildAgent(shop);
    await using limited = await startTestApp({ beside: test, config: { rateLimits: true } });
    const browser = await signInBrowser(limited, alma);
    const attempts = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      attempts.push((await browser.call('reveal_api_key', { current_password: 'wrong' })).status);
    expect(attempts.at(-1)).toBe(429);
  });
});
