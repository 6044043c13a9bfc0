import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { freePort, openLink, openShop } from './console-fixture.ts';
import { type StartingProcess, spawnProcess } from './start-process.ts';

/** A customer's page with the strictest content security policy that the documentation promises to support. */
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

/** A server behind a proxy that can cut connections, an organization on it, and a page with its widget. */
export const openWidgetFixture = async (settings: Record<string, string>) => {
  const link = await openLink();
  const port = await freePort();
  let server: StartingProcess;
  const start = async (dataDir?: string): Promise<void> => {
    server = spawnProcess({ ...settings, PORT: String(port), PUBLIC_URL: link.url, RATE_LIMITS: 'off' }, dataDir);
    await server.waitForOutput(/ready at/);
    link.leadTo(port);
  };
  await start();
  const shop = await openShop(`http://127.0.0.1:${port}`, 'lampshop');
  let extraAttributes = '';
  const host = await openHostPage(link.url, () => `data-organization="${shop.organizationId}" ${extraAttributes}`);
  return {
    link,
    shop,
    host,
    directUrl: `http://127.0.0.1:${port}`,
    embedWith: (attributes: string) => {
      extraAttributes = attributes;
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

export type WidgetFixture = Awaited<ReturnType<typeof openWidgetFixture>>;

/** Opens the page in a new browser context, so as a new visitor. */
export const visit = async (browser: Browser, fixture: WidgetFixture, width = 1280): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  await page.goto(fixture.host.url);
  return page;
};

/** The message texts that the widget shows, in order. */
export const shownTexts = (page: Page): Promise<string[]> =>
  page.locator('.event .event-body.message .text').allInnerTexts();

/** Opens the widget and submits the pre-chat form. */
export const startChat = async (page: Page, name: string): Promise<void> => {
  await page.locator('.bubble').click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@home.test`);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.locator('.log .event-body').first().waitFor();
};

export const sendMessage = async (page: Page, text: string): Promise<void> => {
  await page.locator('textarea.message').fill(text);
  await page.keyboard.press('Enter');
};
