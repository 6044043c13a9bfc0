import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '#contracts/client.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { startServerProcess } from './server-process.ts';
import { makeChats, makeOrganization } from './setup.ts';

const SOCKETS = 5_000;
/** Opened before memory is measured for the first time, because the first work of a process uses memory that is not per socket. */
const FIRST_SOCKETS = 1_000;
const ROUNDS = 5;
const MEMORY_DELAY_MS = 3_000;
const TEXT = 'Hello, I would like to know when my order arrives, please.';

const start = (script: string, args: string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(script, import.meta.url)), args);

const nextMessage = async <T>(child: ChildProcess): Promise<T> => (await once(child, 'message'))[0] as T;

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;

interface Measured {
  bytesPerSocket: number;
  /** Measured from before the first socket, including the memory that the first work of the process uses. */
  coldBytesPerSocket: number;
  broadcastMs: number;
}

const openSockets = async (url: string, login: string, count: number): Promise<ChildProcess> => {
  const clients = start('./socket-clients.ts', [url, String(count), login]);
  await nextMessage(clients);
  await delay(MEMORY_DELAY_MS);
  return clients;
};

/** Returns the time until all sockets of all client processes received the message. */
const timeBroadcast = async (clients: ChildProcess[], broadcast: () => Promise<unknown>): Promise<number> => {
  const listening = Promise.all(clients.map(nextMessage));
  for (const client of clients) client.send('expect');
  await listening;
  const all = Promise.all(clients.map((client) => nextMessage<{ allAt: number }>(client)));
  const from = Date.now();
  await broadcast();
  return Math.max(...(await all).map(({ allAt }) => allAt)) - from;
};

/** Opens the sockets, measures the memory of the server, then broadcasts several messages. */
const measure = async (
  url: string,
  login: string,
  pid: number,
  broadcast: () => Promise<unknown>,
): Promise<Measured> => {
  const cold = residentBytes(pid);
  const clients = [await openSockets(url, login, FIRST_SOCKETS)];
  try {
    const before = residentBytes(pid);
    clients.push(await openSockets(url, login, SOCKETS - FIRST_SOCKETS));
    const after = residentBytes(pid);
    const bytesPerSocket = (after - before) / (SOCKETS - FIRST_SOCKETS);
    const coldBytesPerSocket = (after - cold) / SOCKETS;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) times.push(await timeBroadcast(clients, broadcast));
    return {
      bytesPerSocket,
      coldBytesPerSocket,
      broadcastMs: times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!,
    };
  } finally {
    for (const client of clients) client.send('end');
    await Promise.all(clients.map((client) => once(client, 'exit')));
  }
};

const measureBare = async (): Promise<Measured> => {
  const bare = start('./bare-socket-server.ts');
  const { port } = await nextMessage<{ port: number }>(bare);
  const frame = JSON.stringify({
    action: 'incoming_event',
    type: 'push',
    payload: { event: { type: 'message', text: TEXT } },
  });
  try {
    return await measure(`ws://127.0.0.1:${port}`, '{"action":"login"}', bare.pid!, async () => bare.send(frame));
  } finally {
    bare.kill();
  }
};

const measureParley = async (): Promise<Measured> => {
  const server = await startServerProcess();
  try {
    const organization = await makeOrganization(server);
    const [chat] = await makeChats(server, organization, 1);
    const customer = createClient({ baseUrl: server.url, headers: { authorization: `Bearer ${chat!.token}` } });
    const event = { type: 'message', text: TEXT } as const;
    const sendMessage = () =>
      customer(sendEvent, { query: { organization_id: organization.id }, body: { chat_id: chat!.chatId, event } });
    for (let warm = 0; warm < 200; warm++) await sendMessage();
    const login = JSON.stringify({
      action: 'login',
      request_id: '1',
      payload: { token: `Bearer ${organization.apiKey}` },
    });
    return await measure(`${server.url.replace('http', 'ws')}/v3.5/agent/rtm/ws`, login, server.pid, sendMessage);
  } finally {
    await server.stop();
  }
};

export const run = async (): Promise<void> => {
  const bare = await measureBare();
  const parley = await measureParley();
  const row = (name: string, { bytesPerSocket, coldBytesPerSocket, broadcastMs }: Measured) => ({
    name,
    sockets: SOCKETS,
    'KiB per idle socket': (bytesPerSocket / 1024).toFixed(1),
    'KiB from a cold start': (coldBytesPerSocket / 1024).toFixed(1),
    'one message to all, ms': broadcastMs,
    'ratio (memory)': (bytesPerSocket / bare.bytesPerSocket).toFixed(2),
    'ratio (speed)': (bare.broadcastMs / broadcastMs).toFixed(2),
  });
  console.table([row('ceiling: ws alone', bare), row('Parley, logged-in agents', parley)]);
};
