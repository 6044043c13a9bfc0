import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { percentile } from './http-load.ts';
import { startServerProcess } from './server-process.ts';
import { makeOrganization } from './setup.ts';

const ROUNDS = 7;
/** Makes this machine about as slow as a cheap phone. */
const CPU_SLOWDOWN = 4;
const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-sync'];

interface Visit {
  /** Milliseconds since the start of the visit. */
  loaded: number;
  bubble: number;
  open: number;
  firstMessage: number;
  /** Total blocking time: the sum of the parts of long tasks beyond 50 ms. */
  blocked: number;
}

/** Serves a page with the widget, and the same page without it at /bare. */
const openShop = async (script: string) => {
  const shop = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Shop</title><h1>Shop</h1>${url === '/bare' ? '' : script}`);
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  return { url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`, close: () => shop.close() };
};

const visit = async (browser: Browser, url: string): Promise<{ page: Page; now(): Promise<number> }> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(
    'window.blocked = 0; new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.blocked += duration - 50; }).observe({ type: "longtask", buffered: true });',
  );
  await page.goto(url);
  return { page, now: () => page.evaluate('performance.now()') };
};

const readLoaded = (page: Page): Promise<number> =>
  page.evaluate('performance.getEntriesByType("navigation")[0].loadEventEnd');

const visitBare = async (browser: Browser, url: string): Promise<number> => {
  const { page } = await visit(browser, url);
  const loaded = await readLoaded(page);
  await page.context().close();
  return loaded;
};

/** Opens the chat window as soon as the bubble appears, and sends a message. */
const visitShop = async (browser: Browser, url: string): Promise<Visit> => {
  const { page, now } = await visit(browser, url);
  await page.locator('.bubble').waitFor();
  const bubble = await now();
  await page.locator('.bubble').click();
  await page.locator('#field-email').waitFor();
  const open = await now();
  await page.locator('#field-email').fill('hurry@bench.test');
  await page.keyboard.press('Enter');
  await page.locator('textarea.message').fill('Hello');
  await page.keyboard.press('Enter');
  await page.locator('.mine:not(.unsent) .said.message').waitFor();
  const firstMessage = await now();
  const timings = {
    bubble,
    open,
    firstMessage,
    loaded: await readLoaded(page),
    blocked: await page.evaluate('window.blocked'),
  };
  await page.context().close();
  return timings as Visit;
};

/** Measures how long the widget takes on a slow CPU, compared to a page without it. */
export const run = async (): Promise<void> => {
  if (!existsSync(EXECUTABLE))
    throw new Error(`No browser found at ${EXECUTABLE}. Set CHROMIUM_PATH to the path of Chromium.`);
  const server = await startServerProcess();
  const { id, login, apiKey } = await makeOrganization(server);
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'x-api-version': '2' };
  const settings = {
    method: 'PUT',
    headers,
    body: JSON.stringify({ status: 'accepting chats', max_chats_count: 100 }),
  };
  const answer = await fetch(`${server.url}/agents/${login}`, settings);
  if (!answer.ok) throw new Error(await answer.text());
  const shop = await openShop(`<script async src="${server.url}/widget.js" data-organization="${id}"></script>`);
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });
  const bare: number[] = [];
  const visits: Visit[] = [];
  try {
    await visitShop(browser, shop.url);
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await visitBare(browser, `${shop.url}/bare`));
      visits.push(await visitShop(browser, shop.url));
    }
  } finally {
    await browser.close();
    shop.close();
    await server.stop();
  }
  const ceiling = percentile(bare, 0.5);
  const print = (name: string, values: number[]): void => {
    const median = percentile(values, 0.5);
    const ratio = `${(median / ceiling).toFixed(1)} × a bare page`;
    console.log(
      `${name.padEnd(34)}${median.toFixed(0).padStart(6)} ms   worst ${Math.max(...values)
        .toFixed(0)
        .padStart(6)} ms   ${ratio}`,
    );
  };
  console.log(`Median of ${ROUNDS} first visits, empty cache, CPU ${CPU_SLOWDOWN} × slower`);
  print('page without the widget, loaded', bare);
  print(
    'page with the widget, loaded',
    visits.map(({ loaded }) => loaded),
  );
  print(
    'bubble visible',
    visits.map(({ bubble }) => bubble),
  );
  print(
    'window open',
    visits.map(({ open }) => open),
  );
  print(
    'first message delivered',
    visits.map(({ firstMessage }) => firstMessage),
  );
  print(
    'total blocking time',
    visits.map(({ blocked }) => blocked),
  );
};
