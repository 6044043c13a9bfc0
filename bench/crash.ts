import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '#contracts/client.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { listThreads } from '#contracts/customer/threads.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type BenchChat, makeChats, makeOrganization } from './setup.ts';

const ROUNDS = 10;
const WRITERS = 16;
const MIN_ROUND_MS = 300;
const MAX_ROUND_MS = 1500;

interface Writer {
  chat: BenchChat;
  /** The event IDs that the server acknowledged, in sending order. */
  acknowledged: string[];
}

/** Sends one message after another. An unacknowledged message is sent again with the same `custom_id` in the next round. */
const write = async (writer: Writer, url: string, isStopped: () => boolean): Promise<void> => {
  const { organizationId, token, chatId } = writer.chat;
  const call = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  while (!isStopped()) {
    const number = writer.acknowledged.length + 1;
    try {
      const event = { type: 'message', text: `message ${number}`, custom_id: `custom ${number}` } as const;
      const { event_id } = await call(sendEvent, {
        query: { organization_id: organizationId },
        body: { chat_id: chatId, event },
      });
      writer.acknowledged.push(event_id);
    } catch {
      return;
    }
  }
};

const killDatabase = ({ dataDir }: ServerProcess): void => {
  process.kill(
    Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]),
    'SIGKILL',
  );
};

interface Verification {
  lost: number;
  duplicated: number;
  misordered: number;
  events: number;
}

const verifyChat = async ({ url }: ServerProcess, { chat, acknowledged }: Writer): Promise<Verification> => {
  const call = createClient({ baseUrl: url, headers: { authorization: `Bearer ${chat.token}` } });
  const { threads } = await call(listThreads, {
    query: { organization_id: chat.organizationId },
    body: { chat_id: chat.chatId },
  });
  const events = threads[0]!.events.filter(({ type }) => type === 'message');
  const stored = new Map(events.map((event) => [event.id, event]));
  const lost = acknowledged.filter((id, at) => stored.get(id)?.text !== `message ${at + 1}`).length;
  const duplicated = events.length - new Set(events.map(({ custom_id }) => custom_id)).size;
  const misordered = events.filter(
    ({ text, id }, at) => text !== `message ${at + 1}` || id !== `${threads[0]!.id}_${at + 1}`,
  ).length;
  return { lost, duplicated, misordered, events: events.length };
};

/** Kills the server in every round, and the database together with it in every other round. */
export const run = async (): Promise<void> => {
  let server = await startServerProcess();
  try {
    const chats = await makeChats(server, await makeOrganization(server), WRITERS);
    const writers: Writer[] = chats.map((chat) => ({ chat, acknowledged: [] }));
    for (let round = 1; round <= ROUNDS; round++) {
      let stopped = false;
      const writing = writers.map((writer) => write(writer, server.url, () => stopped));
      await delay(MIN_ROUND_MS + Math.random() * (MAX_ROUND_MS - MIN_ROUND_MS));
      const withDatabase = round % 2 === 0;
      if (withDatabase) killDatabase(server);
      await server.kill('SIGKILL');
      stopped = true;
      await Promise.all(writing);
      server = await server.restart();
      const sum = writers.reduce((total, { acknowledged }) => total + acknowledged.length, 0);
      console.log(
        `round ${round}: killed ${withDatabase ? 'server and database' : 'the server'}; ${sum} events acknowledged so far`,
      );
    }
    const verifications = await Promise.all(writers.map((writer) => verifyChat(server, writer)));
    const total = (field: keyof Verification): number =>
      verifications.reduce((sum, verification) => sum + verification[field], 0);
    const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
    console.table([
      {
        rounds: ROUNDS,
        acknowledged,
        stored: total('events'),
        lost: total('lost'),
        duplicated: total('duplicated'),
        'out of order': total('misordered'),
      },
    ]);
    console.log(`stored / acknowledged: ${((acknowledged - total('lost')) / acknowledged).toFixed(2)}`);
    if (total('lost') + total('duplicated') + total('misordered') > 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
};
