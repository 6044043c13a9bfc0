import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchChat, makeChats, makeOrganization } from './setup.ts';

const ORGANIZATIONS = 10;
const CUSTOMERS_PER_ORGANIZATION = 99;
const SOCKETS = ORGANIZATIONS * (1 + CUSTOMERS_PER_ORGANIZATION);
const MESSAGES_PER_SECOND = 500;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 6_000;
const TICK_MS = 10;
const LAST_PUSHES_MS = 500;
const MAX_CONCURRENT_OPENING = 50;
const TEXT = 'Hello, I would like to know when my order arrives, please.';

/** The sockets of both users of a chat, and the frame by which one sends a message to the other. */
interface Pair {
  sides: [WebSocket, WebSocket];
  write(text: string, from: 0 | 1): string;
}

const NUMBER_PATTERN = /#(\d+)#/;

/** Numbers every message, and measures the time until the push with this number arrives at the other side. */
const createStopwatch = () => {
  const sentAt: number[] = [];
  const times: number[] = [];
  let isMeasuring = false;
  return {
    times,
    start: () => {
      isMeasuring = true;
    },
    numberMessage: (): string => `#${sentAt.push(performance.now()) - 1}# ${TEXT}`,
    onFrame: (data: Buffer, sentBy: Set<number>): void => {
      const frame = data.toString();
      const number = frame.includes('"push"') ? NUMBER_PATTERN.exec(frame)?.[1] : undefined;
      if (number === undefined || sentBy.delete(Number(number))) return;
      if (isMeasuring) times.push(performance.now() - sentAt[Number(number)]!);
    },
    lastNumber: () => sentAt.length - 1,
  };
};

const open = async (url: string, login?: string): Promise<WebSocket> => {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  if (!login) return socket;
  socket.send(login);
  const [answer] = (await once(socket, 'message')) as [Buffer];
  if (!answer.includes('"success":true')) throw new Error(answer.toString());
  return socket;
};

const inBatches = async <T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += MAX_CONCURRENT_OPENING) {
    results.push(...(await Promise.all(items.slice(at, at + MAX_CONCURRENT_OPENING).map(work))));
  }
  return results;
};

/** Sends messages at a constant rate, regardless of the latency. */
const measure = async (pairs: Pair[]): Promise<number[]> => {
  const stopwatch = createStopwatch();
  /** The numbers that each socket sent. Senders get pushes of their own messages too, which are not measured. */
  const sentBy = new Map<WebSocket, Set<number>>();
  for (const socket of new Set(pairs.flatMap(({ sides }) => sides))) {
    const sent = new Set<number>();
    sentBy.set(socket, sent);
    socket.on('message', (data: Buffer) => stopwatch.onFrame(data, sent));
  }
  let count = 0;
  const sendOne = (): void => {
    const pair = pairs[(count * 7) % pairs.length]!;
    const from = (count++ % 2) as 0 | 1;
    const text = stopwatch.numberMessage();
    sentBy.get(pair.sides[from])!.add(stopwatch.lastNumber());
    pair.sides[from].send(pair.write(text, from));
  };
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * MESSAGES_PER_SECOND) / 1000;
    while (count < due) sendOne();
  }, TICK_MS);
  await delay(WARM_UP_MS);
  stopwatch.start();
  await delay(MEASURED_MS);
  clearInterval(timer);
  await delay(LAST_PUSHES_MS);
  for (const socket of sentBy.keys()) socket.terminate();
  return stopwatch.times.toSorted((a, b) => a - b);
};

const measureBare = async (): Promise<number[]> => {
  const relay = fork(fileURLToPath(new URL('./bare-relay.ts', import.meta.url)));
  const [{ port }] = (await once(relay, 'message')) as [{ port: number }];
  const connect = (name: string) => open(`ws://127.0.0.1:${port}/${name}`);
  try {
    const agents = await inBatches(
      Array.from({ length: ORGANIZATIONS }, (_, at) => at),
      (at) => connect(`agent-${at}`),
    );
    const names = Array.from({ length: ORGANIZATIONS * CUSTOMERS_PER_ORGANIZATION }, (_, at) => at);
    const pairs = await inBatches(names, async (at): Promise<Pair> => {
      const agent = at % ORGANIZATIONS;
      const sides: Pair['sides'] = [await connect(`customer-${at}`), agents[agent]!];
      const others = [`agent-${agent}`, `customer-${at}`];
      return { sides, write: (text, from) => JSON.stringify({ to: others[from], payload: { event: { text } } }) };
    });
    return await measure(pairs);
  } finally {
    relay.kill();
  }
};

const loginFrame = (token: string): string =>
  JSON.stringify({ action: 'login', payload: { token: `Bearer ${token}` } });

const sendFirstReply = async (server: ServerProcess, apiKey: string, chatId: string): Promise<void> => {
  const answer = await fetch(`${server.url}/v3.5/agent/action/send_event`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ chat_id: chatId, event: { type: 'message', text: 'How can I help?' } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
};

const openPairs = async (server: ServerProcess): Promise<Pair[]> => {
  const origin = server.url.replace('http', 'ws');
  const organization = await makeOrganization(server);
  const chats = await makeChats(server, organization, CUSTOMERS_PER_ORGANIZATION);
  const agent = await open(`${origin}/v3.5/agent/rtm/ws`, loginFrame(organization.apiKey));
  // The first message of an agent also assigns the chat, which must not be part of the measurement.
  await inBatches(chats, ({ chatId }) => sendFirstReply(server, organization.apiKey, chatId));
  return inBatches(chats, async ({ chatId, token }: BenchChat): Promise<Pair> => {
    const url = `${origin}/v3.5/customer/rtm/ws?organization_id=${organization.id}`;
    const write: Pair['write'] = (text) =>
      JSON.stringify({ action: 'send_event', payload: { chat_id: chatId, event: { type: 'message', text } } });
    return { sides: [await open(url, loginFrame(token)), agent], write };
  });
};

const measureParley = async (): Promise<number[]> => {
  const server = await startServerProcess();
  try {
    const pairs: Pair[] = [];
    for (let at = 0; at < ORGANIZATIONS; at++) pairs.push(...(await openPairs(server)));
    return await measure(pairs);
  } finally {
    await server.stop();
  }
};

export const run = async (): Promise<void> => {
  const bare = await measureBare();
  const parley = await measureParley();
  const at = (times: number[], share: number): number => times[Math.floor((times.length - 1) * share)]!;
  const row = (name: string, times: number[]) => ({
    name,
    sockets: SOCKETS,
    'messages/s sent': MESSAGES_PER_SECOND,
    'messages/s received': Math.round(times.length / (MEASURED_MS / 1000)),
    'p50, ms': at(times, 0.5).toFixed(1),
    'p99, ms': at(times, 0.99).toFixed(1),
    'ratio (p50)': (at(bare, 0.5) / at(times, 0.5)).toFixed(2),
    'ratio (p99)': (at(bare, 0.99) / at(times, 0.99)).toFixed(2),
  });
  console.table([row('ceiling: ws alone, nothing stored', bare), row('Parley, stored and pushed', parley)]);
};
