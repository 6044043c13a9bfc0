import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '#contracts/client.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { fillSignIn, launchBrowser, openShop } from '../e2e/console-fixture.ts';
import { percentile } from './http-load.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchChat, makeChats } from './setup.ts';
import { simulateVisitors } from './simulated-visitors.ts';

const CHATS = 200;
const VISITORS = 2_000;
const EVENTS_PER_SECOND = 50;
const ARRIVE_MS = 8_000;
const TRACE_MS = 15_000;
const MAX_TASK_MS = 100;

/** Starting the trace blocks the page for a while; tasks in this time are ignored. */
const TRACE_START_MICROSECONDS = 1_000_000;

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** Wall time and CPU time in microseconds. */
  dur?: number;
  tdur?: number;
}

/** Returns the tasks of the busiest thread, which is the main thread of the page. */
const readTasks = (trace: Buffer): TraceEvent[] => {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] };
  const tasks = traceEvents.filter(({ name, ph }) => ph === 'X' && name === 'RunTask');
  const sum = (some: TraceEvent[]): number => some.reduce((total, { dur = 0 }) => total + dur, 0);
  const byThread = Map.groupBy(tasks, ({ pid, tid }) => `${pid} ${tid}`);
  const busiest = [...byThread.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
  const from = Math.min(...busiest.map(({ ts }) => ts)) + TRACE_START_MICROSECONDS;
  return busiest.filter(({ ts }) => ts >= from);
};

/** Sends messages at a fixed rate, in every chat in turn. Returns a function that stops it. */
const startSendingMessages = ({ url }: ServerProcess, chats: BenchChat[]): (() => void) => {
  let n = 0;
  const sendNext = (): void => {
    const { chatId, organizationId, token } = chats[n++ % chats.length]!;
    const customer = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
    const body = { chat_id: chatId, event: { type: 'message' as const, text: `Message ${n}: where is my order?` } };
    customer(sendEvent, { query: { organization_id: organizationId }, body }).catch((error: unknown) =>
      console.error(error),
    );
  };
  const timer = setInterval(sendNext, 1000 / EVENTS_PER_SECOND);
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
  const busy = durations.reduce((sum, one) => sum + one, 0) / TRACE_MS;
  console.log(
    `${name.padEnd(28)} ${tasks.length} tasks, p99 ${percentile(durations, 0.99).toFixed(1)} ms, longest ${longest.toFixed(1)} ms (${(Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000).toFixed(1)} ms of CPU time), ${(100 * busy).toFixed(0)} % busy; goal ${MAX_TASK_MS} ms`,
  );
  return longest <= MAX_TASK_MS;
};

/** `npm run bench -- console`: traces the console with many chats and visitors while customers send messages. */
export const run = async (): Promise<void> => {
  const browser = await launchBrowser();
  // An agent's browser normally runs on another machine, so here it gets a higher priority than the server and the visitors.
  os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  const server = await startServerProcess();
  try {
    const shop = await openShop(server.url, 'bench', server.operatorToken);
    await shop.rest('PUT', `/agents/${shop.login}`, { max_chats_count: 500 });
    await shop.asOwner('set_routing_status', { status: 'accepting_chats' });
    const organization = { id: shop.organizationId, login: shop.login, apiKey: '' };
    const chats = await makeChats(server, organization, CHATS);
    const visitors = simulateVisitors(new URL('/tracking/beacon', server.url), shop.license, VISITORS);
    visitors.arrive(ARRIVE_MS);
    await delay(ARRIVE_MS);
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(`${server.url}/console/chats`);
    await fillSignIn(page, shop.login);
    const list = page.getByRole('navigation', { name: 'Chats' });
    await list.getByRole('link').nth(5).click();
    const stop = startSendingMessages(server, chats);
    const results = [
      await trace(browser, page, 'chats, one open', async () => {
        await delay(TRACE_MS);
      }),
      await trace(browser, page, 'chats, switching between them', async () => {
        for (let n = 0; n < 10; n++) {
          await page.keyboard.press('j');
          await delay(TRACE_MS / 10);
        }
      }),
    ];
    await page.getByRole('link', { name: 'Visitors' }).click();
    await page.getByRole('heading', { name: 'Visitors' }).waitFor();
    results.push(await trace(browser, page, 'visitors', () => delay(TRACE_MS)));
    stop();
    await visitors.leave(() => false);
    if (results.includes(false)) process.exitCode = 1;
  } finally {
    await browser.close();
    await server.stop();
  }
};
