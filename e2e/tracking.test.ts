import { existsSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const hasBrowser = existsSync(executablePath);
if (!hasBrowser) console.warn('\n*** Browser tests skipped: no Chromium ***\n');

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

interface Account {
  license_id: number;
  owner: { login: string; api_key: string };
}

interface LiveVisitor {
  id: string;
  page_current: string;
  page_title: string;
  language: string;
  custom_variables: object[];
}

/** The global that pages use. */
interface TrackingScript {
  get_visitor_id(): string;
  set_custom_variables(values: { name: string; value: string }[]): void;
}
declare const ParleyTracking: TrackingScript;

describe.skipIf(!hasBrowser)('the tracking script on another site', () => {
  let server: ServerProcess;
  let browser: Browser;
  let shop: http.Server;
  let shopUrl: string;
  let account: Account;

  beforeAll(async () => {
    server = await startProcess({ DATABASE_URL: toDatabaseUrl(await createTestDatabase()) });
    const response = await fetch(`${server.url}/operator/v1/organizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Shop',
        owner: { login: 'owner@shop.test', name: 'Olga', password: 'a long password' },
      }),
    });
    account = (await response.json()) as Account;
    const script = `<script async src="${server.url}/tracking.js" data-license="${account.license_id}"></script>`;
    shop = http.createServer((request, answer) => {
      answer.setHeader('content-type', 'text/html');
      answer.end(`<!doctype html><title>Page ${request.url}</title>${script}<a href="/second">on</a>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath, args: FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    shop?.close();
    await server?.stop();
  });

  const listVisitors = async (): Promise<LiveVisitor[]> => {
    const { login, api_key } = account.owner;
    const authorization = `Basic ${Buffer.from(`${login}:${api_key}`).toString('base64')}`;
    return (await (await fetch(`${server.url}/visitors`, { headers: { authorization } })).json()) as LiveVisitor[];
  };

  const open = async (): Promise<{ page: Page; browserErrors: string[] }> => {
    const page = await browser.newPage({ locale: 'pl-PL' });
    page.setDefaultTimeout(60_000);
    const browserErrors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && browserErrors.push(message.text()));
    page.on('pageerror', (error) => browserErrors.push(error.message));
    await page.goto(`${shopUrl}/first`);
    return { page, browserErrors };
  };

  it('reports its visitor from the first page to the last', async () => {
    const { page, browserErrors } = await open();
    await vi.waitFor(async () => expect(await listVisitors()).toHaveLength(1), 60_000);
    const id = await page.evaluate(() => ParleyTracking.get_visitor_id());
    expect(await listVisitors()).toMatchObject([
      { id, page_current: `${shopUrl}/first`, page_title: 'Page /first', language: 'pl-PL' },
    ]);
    await page.evaluate(() => ParleyTracking.set_custom_variables([{ name: 'plan', value: 'gold' }]));
    await vi.waitFor(
      async () => expect((await listVisitors())[0]!.custom_variables).toEqual([{ key: 'plan', value: 'gold' }]),
      60_000,
    );
    await page.click('a');
    await vi.waitFor(
      async () => expect(await listVisitors()).toMatchObject([{ id, page_current: `${shopUrl}/second` }]),
      60_000,
    );
    // Changing the URL with the History API counts as another page.
    await page.evaluate(() => history.pushState({}, '', '/third'));
    await vi.waitFor(
      async () => expect(await listVisitors()).toMatchObject([{ id, page_current: `${shopUrl}/third` }]),
      60_000,
    );
    const globals = await page.evaluate(() => Object.keys(window).filter((name) => /parley/i.test(name)));
    expect(globals).toEqual(['ParleyTracking']);
    expect(browserErrors).toEqual([]);
    await page.close({ runBeforeUnload: true });
    await vi.waitFor(async () => expect(await listVisitors()).toEqual([]), 60_000);
  });
});
