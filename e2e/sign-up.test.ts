import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#contracts/client.ts';
import { createPartner } from '#contracts/operator/partners.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn('\n*** Browser tests skipped: no Chromium ***\n');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];
/** Headless Chromium identifies as a bot, whose clicks are not counted. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

interface Links {
  mainchat: { short_url: string };
  partner_program: { short_url: string };
}

describe.skipIf(!hasBrowser)('sign-up in a real browser', () => {
  let server: ServerProcess;
  let browser: Browser;
  let authorization: string;
  let links: Links;

  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${server.url}/v2/partners/${path}`, { headers: { authorization } });
    return (await response.json()) as T;
  };

  beforeAll(async () => {
    server = await startProcess({ DATABASE_URL: toDatabaseUrl(await createTestDatabase()) });
    browser = await chromium.launch({ executablePath, args: FLAGS });
    const operator = createClient({ baseUrl: server.url, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
    const body = { login: 'paula@web.test', password: 'a long password', first_name: 'Paula', last_name: 'Partner' };
    const { token } = await operator(createPartner, { body });
    authorization = `Bearer ${token}`;
    links = await get<Links>('affiliates/links');
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const open = async (url: string, width: number, javaScriptEnabled: boolean): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      userAgent: USER_AGENT,
      javaScriptEnabled,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(url);
    return page;
  };

  const expectFits = async (page: Page, width: number): Promise<void> => {
    const { width: content } = (await page.locator('body').boundingBox())!;
    expect(content).toBeLessThanOrEqual(width);
  };

  const fill = async (page: Page, fields: Record<string, string>): Promise<void> => {
    for (const [name, value] of Object.entries(fields)) await page.fill(`#${name}`, value);
    await page.click('button');
  };

  it.each([
    ['a wide screen', 1280, true],
    ['a phone without scripts', 360, false],
  ])('starts a trial from a partner link on %s', async (screen, width, scripts) => {
    const page = await open(links.mainchat.short_url, width, scripts);
    expect(page.url()).toMatch(/\/products\/mainchat\?a=\d+&utm_campaign=pp_main-chat$/);
    await expectFits(page, width);
    await page.click('a.button');
    await expectFits(page, width);
    const email = `${screen.replaceAll(' ', '-')}@shop.test`;
    const person = { name: 'Nora', organization: 'Corner shop', password: 'a long password' };
    await fill(page, { ...person, email: 'nora@nowhere' });
    expect(await page.locator('#email').getAttribute('aria-invalid')).toBe('true');
    expect(await page.inputValue('#organization')).toBe('Corner shop');
    expect(await page.inputValue('#password')).toBe('');
    await fill(page, { email, password: person.password });
    expect(await page.locator('h1').textContent()).toBe('Your account is ready');
    expect(await page.locator('pre').first().textContent()).toMatch(/widget\.js" data-organization="[\w-]+"/);
    expect(await page.locator('pre').last().textContent()).toMatch(/data-license="\d+"/);
    await expectFits(page, width);
    await page.context().close();
  });

  it('signs up a partner from a partner link', async () => {
    const page = await open(links.partner_program.short_url, 360, true);
    await fill(page, { first_name: 'Nora', last_name: 'New', email: 'nora@web.test', password: 'a long password' });
    expect(await page.locator('h1').textContent()).toBe('Welcome to the partner program');
    await expectFits(page, 360);
    await page.context().close();
  });

  it('counts both sign-ups for the referring partner', async () => {
    const stats = await get<{ affiliate: { mainchat: object; partner_program: object } }>('stats');
    expect(stats.affiliate).toMatchObject({ mainchat: { trials: 2 }, partner_program: { partners_referred: 1 } });
  });
});
