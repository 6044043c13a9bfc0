import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { freePort, openLink, openShop } from './console-world.ts';
import { type StartingProcess, spawnProcess } from './start-process.ts';

/** A page of somebody else’s, as strict as the documentation says it may be. */
const openHostPage = async (serverUrl: string, attributes: () => string) => {
  const policy = [
    "default-src 'none'",
    `script-src ${serverUrl}`,
    `connect-src ${serverUrl} ${serverUrl.replace('http', 'ws')}`,
    `img-src ${serverUrl}`,
  ].join('; ');
  const host = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    response.end(
      `<!doctype html><html lang="en"><title>A shop</title><main><h1>A shop</h1><p><a href="/other">Another page</a></p></main><script async src="${serverUrl}/widget.js" ${attributes()}></script>`,
    );
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  return { url: `http://127.0.0.1:${(host.address() as AddressInfo).port}/`, close: () => host.close() };
};

/** A server behind a link that can be cut, a shop on it, and a page of the shop with the widget. */
export const openWidgetWorld = async (settings: Record<string, string>) => {
  const link = await openLink();
  const port = await freePort();
  let server: StartingProcess;
  const start = async (dataDir?: string): Promise<void> => {
    server = spawnProcess({ ...settings, PORT: String(port), PUBLIC_URL: link.url, RATE_LIMITS: 'off' }, dataDir);
    await server.says(/ready at/);
    link.leadTo(port);
  };
  await start();
  const shop = await openShop(`http://127.0.0.1:${port}`, 'lampshop');
  let more = '';
  const host = await openHostPage(link.url, () => `data-organization="${shop.organizationId}" ${more}`);
  return {
    link,
    shop,
    host,
    directUrl: `http://127.0.0.1:${port}`,
    embedWith: (attributes: string) => {
      more = attributes;
    },
    restart: async (): Promise<void> => {
      server.signal('SIGKILL');
      await server.ended;
      await start(server.dataDir);
    },
    close: async (): Promise<void> => {
      host.close();
      link.close();
      server.signal('SIGTERM');
      await server.ended;
      server.remove();
    },
  };
};

export type WidgetWorld = Awaited<ReturnType<typeof openWidgetWorld>>;

/** A visitor with a browser of their own. */
export const visit = async (browser: Browser, world: WidgetWorld, width = 1280): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await page.goto(world.host.url);
  return page;
};

/** What the window shows of the conversation, in its order. */
export const shownTexts = (page: Page): Promise<string[]> =>
  page.locator('.event .said.message .words').allInnerTexts();

/** By the prechat form to the place to write in. */
export const beginChat = async (page: Page, name: string): Promise<void> => {
  await page.locator('.bubble').click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@home.test`);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.locator('.log .said').first().waitFor();
};

export const say = async (page: Page, text: string): Promise<void> => {
  await page.locator('textarea.message').fill(text);
  await page.keyboard.press('Enter');
};
