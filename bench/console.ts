import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '#contracts/client.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { fillSignIn, launchBrowser, openShop } from '../e2e/console-fixture.ts';
import { type BenchChat, makeChats } from './arrange.ts';
import { percentile } from './http-load.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { gatherCrowd } from './visitors-crowd.ts';

const CHATS = 200;
const VISITORS = 2_000;
const EVENTS_PER_SECOND = 50;
const ARRIVE_MS = 8_000;
const TRACED_MS = 15_000;
const MAX_MS = 100;

/** The recorder itself holds the page up while it starts. */
const STARTING_MICROSECONDS = 1_000_000;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Microseconds: how long by the clock, and of that on the processor. */
  dur?: number;
  tdur?: number;
}

/** The tasks of the thread that was busiest: the page's own. */
const readTasks = (trace: Buffer): TraceEvent[] => {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const tasks = traceEvents.filter(({ name, ph }) => ph === 'X' && name === 'RunTask');
  const sum = (some: TraceEvent[]): number => some.reduce((total, { dur = 0 }) => total + dur, 0);
  const byThread = Map.groupBy(tasks, ({ pid, tid }) => `${pid} ${tid}`);
  const busiest = [...byThread.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
  const from = Math.min(...busiest.map(({ ts }) => ts)) + STARTING_MICROSECONDS;
  return busiest.filter(({ ts }) => ts >= from);
};

/** Customers who write, each in turn, so many in a second. */
const beginTalking = ({ url }: ServerProcess, chats: BenchChat[]): (() => void) => {
  let n = 0;
  const talk = (): void => {
    const { chatId, organizationId, token } = chats[n++ % chats.length]!;
    const customer = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
    const body = { chat_id: chatId, event: { type: 'message' as const, text: `Message ${n}: where is my order?` } };
    customer(sendEvent, { query: { organization_id: organizationId }, body }).catch((error: unknown) =>
      console.error(error),
    );
  };
  const timer = setInterval(talk, 1000 / EVENTS_PER_SECOND);
  return () => clearInterval(timer);
};

const trace = async (browser: Browser, page: Page, name: string, work: () => Promise<void>): Promise<boolean> => {
  await browser.startTracing(page, {
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel'],
  });
  await work();
  const tasks = readTasks(await browser.stopTracing());
  const durations = tasks.map(({ dur = 0 }) => dur / 1000);
  const longest = Math.max(0, ...durations);
  const busy = durations.reduce((sum, one) => sum + one, 0) / TRACED_MS;
  console.log(
    `${name.padEnd(28)} ${tasks.length} tasks, p99 ${percentile(durations, 0.99).toFixed(1)} ms, the longest ${longest.toFixed(1)} ms (${(Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000).toFixed(1)} ms of the processor), ${(100 * busy).toFixed(0)} % of the time; goal ${MAX_MS} ms`,
  );
  return longest <= MAX_MS;
};

/** `npm run bench -- console`: the console with many chats and visitors while customers write, from a recorded trace. */
export const run = async (): Promise<void> => {
  const browser = await launchBrowser();
  // An agent's browser has a machine of its own; on this one it goes before the server and the crowd.
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  const server = await startServerProcess();
  try {
    const shop = await openShop(server.url, 'bench', server.operatorToken);
    await shop.rest('PUT', `/agents/${shop.login}`, { max_chats_count: 500 });
    await shop.asOwner('set_routing_status', { status: 'accepting_chats' });
    const organization = { id: shop.organizationId, login: shop.login, apiKey: '' };
    const chats = await makeChats(server, organization, CHATS);
    const crowd = gatherCrowd(new URL('/tracking/beacon', server.url), shop.license, VISITORS);
    crowd.arrive(ARRIVE_MS);
    await delay(ARRIVE_MS);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${server.url}/console/chats`);
    await fillSignIn(page, shop.login);
    const list = page.getByRole('navigation', { name: 'Chats' });
    await list.getByRole('link').nth(5).click();
    const stop = beginTalking(server, chats);
    const met = [
      await trace(browser, page, 'chats, reading one', async () => {
        await delay(TRACED_MS);
      }),
      await trace(browser, page, 'chats, going through them', async () => {
        for (let n = 0; n < 10; n++) {
          await page.keyboard.press('j');
          await delay(TRACED_MS / 10);
        }
      }),
    ];
    await page.getByRole('link', { name: 'Visitors' }).click();
    await page.getByRole('heading', { name: 'Visitors' }).waitFor();
    met.push(await trace(browser, page, 'visitors', () => delay(TRACED_MS)));
    stop();
    await crowd.leave(() => false);
    if (met.includes(false)) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
};
