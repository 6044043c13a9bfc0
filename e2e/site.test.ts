import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn('\n*** Browser tests skipped: no Chromium ***\n');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

describe.skipIf(!hasBrowser)('the site in a real browser', () => {
  let server: ServerProcess;
  let browser: Browser;

  beforeAll(async () => {
    server = await startProcess({ DATABASE_URL: toDatabaseUrl(await createTestDatabase()) });
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Opens a page and collects console errors, failed requests and policy violations. */
  const open = async (path: string, width: number) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.setDefaultTimeout(60_000);
    const browserErrors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && browserErrors.push(message.text()));
    page.on('pageerror', (error) => browserErrors.push(error.message));
    page.on('requestfailed', (request) => browserErrors.push(request.url()));
    await page.goto(`${server.url}${path}`);
    return { page, browserErrors };
  };

  it('links every API reference from the start page without browser errors', async () => {
    const { page, browserErrors } = await open('/', 1200);
    expect(await page.title()).toContain('Parley');
    const links = await page
      .locator('a[href^="/docs/"]:not([href$=".json"])')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')!));
    expect(links).toEqual(expect.arrayContaining(['/docs/customer', '/docs/chat-ops', '/docs/partner', '/docs/agent']));
    for (const link of links) {
      await page.goto(`${server.url}${link}`);
      expect(await page.locator('h1').textContent()).toBeTruthy();
      expect(await page.locator('code').first().isVisible()).toBe(true);
    }
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it.each(['/', '/docs/customer', '/docs/partner', '/dev/mail'])('fits a phone screen: %s', async (path) => {
    const { page, browserErrors } = await open(path, 360);
    const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(content).toBeLessThanOrEqual(screen!);
    expect(browserErrors).toEqual([]);
    await page.close();
  });
});
