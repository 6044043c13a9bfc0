import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn('\n*** Browser tests skipped: no Chromium ***\n');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

describe.skipIf(!hasBrowser)('the pages, in a real browser', () => {
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

  /** Whatever the browser complains about: errors, refused resources, a broken content policy. */
  const open = async (path: string, width: number) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => complaints.push(request.url()));
    await page.goto(`${server.url}${path}`);
    return { page, complaints };
  };

  it('leads from the start page to every API reference without a complaint', async () => {
    const { page, complaints } = await open('/', 1200);
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
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each(['/', '/docs/customer', '/docs/partner', '/dev/mail'])('fits a phone: %s', async (path) => {
    const { page, complaints } = await open(path, 360);
    const [content, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(content).toBeLessThanOrEqual(screen!);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
