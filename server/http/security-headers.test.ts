import { beforeAll, expect, it } from 'vitest';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';

const test = useTestApp();
let organization: TestOrganization;
beforeAll(async () => {
  organization = await buildOrganization(test);
});

const POLICY = 'cross-origin-resource-policy';

it('keeps private responses and pages from being embedded by other sites', async () => {
  const headers = { authorization: organization.owner.basic };
  for (const request of [
    { url: '/agents', headers },
    { method: 'POST', url: '/v3.5/agent/action/list_chats', headers, payload: {} },
    { method: 'POST', url: '/v3.5/configuration/action/list_bots', headers, payload: {} },
    { url: '/v2/partners' },
    { url: '/operator/v1/organizations', headers: { authorization: `Bearer ${test.operatorToken}` } },
    { url: '/console' },
    { url: '/' },
    { url: '/nothing' },
  ] as const)
    expect([request.url, (await test.app.inject(request)).headers[POLICY]]).toEqual([request.url, 'same-origin']);
});

it('lets other sites embed scripts and JSONP', async () => {
  for (const url of ['/widget.js', '/tracking.js', '/status?callback=show'])
    expect([url, (await test.app.inject(url)).headers[POLICY]]).toEqual([url, 'cross-origin']);
});

it('sends Strict-Transport-Security only if the public URL uses HTTPS', async () => {
  await using secure = await startTestApp({ beside: test, config: { publicUrl: 'https://chat.example' } });
  for (const url of ['/', '/console', '/agents', '/v3.5/customer/action/get_configuration', '/health/live']) {
    expect((await secure.app.inject(url)).headers['strict-transport-security']).toBe('max-age=31536000');
    expect((await test.app.inject(url)).headers).not.toHaveProperty('strict-transport-security');
  }
});
