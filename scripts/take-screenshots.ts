// Takes the screenshots for the documentation: `node scripts/take-screenshots.ts`. Needs Chromium.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../e2e/console-fixture.ts';
import { spawnProcess } from '../e2e/start-process.ts';
import { sendMessage } from '../e2e/widget-fixture.ts';

const FOLDER = fileURLToPath(new URL('../docs/screenshots/', import.meta.url));
const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
type Screen = keyof typeof SCREENS;
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];

const PAGES = {
  visitors: 'visitors',
  archives: 'archives',
  tickets: 'tickets',
  reports: 'reports?report=ratings',
  team: 'team',
  appearance: 'settings/appearance',
  greetings: 'settings/greetings',
};

const nameOf = (name: string, scheme: Scheme, screen: Screen): string =>
  path.join(FOLDER, `${name}-${scheme}${screen === 'phone' ? '-phone' : ''}.png`);

/** Waits for requests and animations to finish. */
const waitUntilIdle = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle');
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => {})))');
};

const openPage = async (browser: Browser, scheme: Scheme, screen: Screen, state?: SignedIn): Promise<Page> => {
  const context = await browser.newContext({
    viewport: SCREENS[screen],
    colorScheme: scheme,
    ...(state ? { storageState: state } : {}),
  });
  return context.newPage();
};

type SignedIn = Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

const signIn = async (browser: Browser, url: string, token: string): Promise<SignedIn> => {
  const page = await openPage(browser, 'light', 'desktop');
  await page.goto(`${url}/console/first-run?token=${token}`);
  await page.getByRole('button', { name: 'Open console' }).click();
  await page.getByRole('heading', { name: 'Chats', exact: true }).waitFor();
  const state = await page.context().storageState();
  await page.context().close();
  return state;
};

const startChat = async (page: Page, url: string, name: string, first: string): Promise<void> => {
  await page.goto(`${url}/demo`);
  await page.locator('.bubble').click();
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email').fill(`${name.split(' ')[0]!.toLowerCase()}@home.example`);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await sendMessage(page, first);
};

const answer = async (agent: Page, url: string, name: string, text: string): Promise<void> => {
  await agent.goto(`${url}/console/chats`);
  await agent.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name }).click();
  await agent.getByRole('textbox', { name: 'Message' }).fill(text);
  await agent.getByRole('textbox', { name: 'Message' }).press('Enter');
  await agent.getByRole('log', { name: 'Messages' }).getByText(text).waitFor();
};

const takeAll = async (browser: Browser, url: string, state: SignedIn, scheme: Scheme, screen: Screen) => {
  const visitorName = `${scheme === 'light' ? 'Lena' : 'Dario'} ${screen === 'phone' ? 'Berger' : 'Costa'}`;
  const visitor = await openPage(browser, scheme, screen);
  const agent = await openPage(browser, scheme, screen, state);
  await startChat(visitor, url, visitorName, 'Hello! Is the wool blanket back in stock soon?');
  await answer(agent, url, visitorName, 'Hello! New ones arrive on Thursday. Shall I put one aside for you?');
  await visitor.getByText('Shall I put one aside').waitFor();
  await sendMessage(visitor, 'Yes please, the green one.');
  await agent.getByRole('log', { name: 'Messages' }).getByText('the green one').waitFor();
  await waitUntilIdle(agent);
  await agent.screenshot({ path: nameOf('console-chats', scheme, screen) });
  await visitor.screenshot({ path: nameOf('widget', scheme, screen) });
  for (const [name, at] of Object.entries(PAGES)) {
    await agent.goto(`${url}/console/${at}`);
    await waitUntilIdle(agent);
    await agent.screenshot({ path: nameOf(`console-${name}`, scheme, screen) });
  }
  await Promise.all([visitor, agent].map((page) => page.context().close()));
};

mkdirSync(FOLDER, { recursive: true });
const server = spawnProcess({ DEMO: '1', RATE_LIMITS: 'off' });
const [, url] = await server.waitForOutput(/ready at (\S+)/);
const [, token] = await server.waitForOutput(/first-run\?token=(\S+)/);
const browser = await launchBrowser();
try {
  const state = await signIn(browser, url!, token!);
  for (const scheme of SCHEMES)
    for (const screen of Object.keys(SCREENS) as Screen[]) await takeAll(browser, url!, state, scheme, screen);
} finally {
  await browser.close();
  server.signal('SIGTERM');
  await server.ended;
  server.remove();
}
