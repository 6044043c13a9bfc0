import { describe, expect, it } from 'vitest';
import { makeDemo } from '#server/demo/make-demo.ts';
import { startTestApp, useTestApp } from '#server/testing/app/start-app.ts';

const PATHS = ['/demo', '/demo/basket', '/demo/things/lamp'];

const test = useTestApp();

describe('the demo shop', () => {
  it('returns 404 before the demo data exists', async () => {
    for (const url of PATHS) expect((await test.app.inject(url)).statusCode).toBe(404);
  });

  it('embeds the widget under a strict content security policy', async () => {
    const signal = AbortSignal.abort();
    const demo = await makeDemo(test.context.services, { onBegin: () => {}, saveCredentials: () => {}, signal });
    for (const url of PATHS) {
      const { statusCode, body, headers } = await test.app.inject(url);
      expect(statusCode).toBe(200);
      expect(body).toContain(`<script async src="/widget.js" data-organization="${demo!.organizationId}"></script>`);
      expect(body).not.toMatch(/<style|style=|\son\w+=/);
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
    }
    expect((await test.app.inject('/demo/things/yacht')).statusCode).toBe(404);
    expect((await test.app.inject({ method: 'POST', url: '/demo' })).statusCode).toBe(405);
  });

  it('returns 404 when the demo is disabled', async () => {
    const without = await startTestApp({ config: { demo: false } });
    for (const url of PATHS) expect((await without.app.inject(url)).statusCode).toBe(404);
    await without[Symbol.asyncDispose]();
  });
});
