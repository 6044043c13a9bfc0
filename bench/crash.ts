import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '#contracts/client.ts';
import { sendEvent } from '#contracts/customer/events.ts';
import { listThreads } from '#contracts/customer/threads.ts';
import { type BenchChat, makeChats, makeOrganization } from './arrange.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const ROUNDS = 10;
const WRITERS = 16;
const MIN_ROUND_MS = 300;
const MAX_ROUND_MS = 1500;

interface Writer {
  chat: BenchChat;
  /** The ids the server acknowledged, by the order of sending. */
  acknowledged: string[];
}

/** Sends one message after another; what was not acknowledged is sent again with the same `custom_id`. */
const write = async (writer: Writer, url: string, isOver: () => boolean): Promise<void> => {
  const { organizationId, token, chatId } = writer.chat;
  const call = createClient({ baseUrl: url, headers: { authorization: `Bearer ${token}` } });
  while (!isOver()) {
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

interface Verdict {
  lost: number;
  doubled: number;
  disordered: number;
  events: number;
}

const judge = async ({ url }: ServerProcess, { chat, acknowledged }: Writer): Promise<Verdict> => {
  const call = createClient({ baseUrl: url, headers: { authorization: `Bearer ${chat.token}` } });
  const { threads } = await call(listThreads, {
    query: { organization_id: chat.organizationId },
    body: { chat_id: chat.chatId },
  });
  const events = threads[0]!.events.filter(({ type }) => type === 'message');
  const stored = new Map(events.map((event) => [event.id, event]));
  const lost = acknowledged.filter((id, at) => stored.get(id)?.text !== `message ${at + 1}`).length;
  const doubled = events.length - new Set(events.map(({ custom_id }) => custom_id)).size;
  const disordered = events.filter(
    ({ text, id }, at) => text !== `message ${at + 1}` || id !== `${threads[0]!.id}_${at + 1}`,
  ).length;
  return { lost, doubled, disordered, events: events.length };
};

/** Every other round the database is killed together with the server. */
export const run = async (): Promise<void> => {
  let server = await startServerProcess();
  try {
    const chats = await makeChats(server, await makeOrganization(server), WRITERS);
    const writers: Writer[] = chats.map((chat) => ({ chat, acknowledged: [] }));
    for (let round = 1; round <= ROUNDS; round++) {
      let over = false;
      const writing = writers.map((writer) => write(writer, server.url, () => over));
      await delay(MIN_ROUND_MS + Math.random() * (MAX_ROUND_MS - MIN_ROUND_MS));
      const withDatabase = round % 2 === 0;
      if (withDatabase) killDatabase(server);
      await server.kill('SIGKILL');
      over = true;
      await Promise.all(writing);
      server = await server.restart();
      const sum = writers.reduce((total, { acknowledged }) => total + acknowledged.length, 0);
      console.log(
        `round ${round}: killed ${withDatabase ? 'server and database' : 'the server'}; ${sum} events acknowledged so far`,
      );
    }
    const verdicts = await Promise.all(writers.map((writer) => judge(server, writer)));
    const total = (field: keyof Verdict): number => verdicts.reduce((sum, verdict) => sum + verdict[field], 0);
    const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
    console.table([
      {
        rounds: ROUNDS,
        acknowledged,
        stored: total('events'),
        lost: total('lost'),
        doubled: total('doubled'),
        'out of order': total('disordered'),
      },
    ]);
    console.log(`kept / acknowledged: ${((acknowledged - total('lost')) / acknowledged).toFixed(2)}`);
    if (total('lost') + total('doubled') + total('disordered') > 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
};
