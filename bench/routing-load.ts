import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import WebSocket from 'ws';
import type { Crew } from './routing-arrange.ts';

/** Customers who come and agents who close. Run as a process of its own: a task on standard input, the result on standard output. */
export interface RoutingTask {
  urls: string[];
  crew: Crew;
  /** Over so many seconds they come, evenly; 0: as fast as `atOnce` connections let them. */
  seconds: number;
  atOnce: number;
  /** How long an agent takes for a chat; absent: nothing is closed. */
  talkMs?: number;
  /** Nobody comes after this. */
  stopAfterMs: number;
  giveUpAfterMs: number;
}

export interface RoutingResult {
  /** By chat, when its customer asked for it and how long the answer took. */
  started: { chatId: string; sentAt: number; ms: number }[];
  seconds: number;
  failures: number;
  /** Requests that were tried again, because the servers had too much to do. */
  busy: number;
  /** Chats that were answered, as far as agents were told. */
  answered: number;
}

const connections = new Agent({ keepAlive: true, maxSockets: 64 });

const post = async (url: string, token: string, body: object): Promise<{ status: number; text: string }> => {
  const sending = request(url, {
    method: 'POST',
    agent: connections,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sending.end(JSON.stringify(body));
  const [response] = await once(sending, 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
};

const RETRY_MS = 250;

/** Whoever is sent away because there is too much to do comes back a moment later. */
const insist = async (url: string, token: string, body: object, onBusy: () => void) => {
  for (;;) {
    const answer = await post(url, token, body);
    if (answer.status !== 503) return answer;
    onBusy();
    await setTimeout(RETRY_MS);
  }
};

interface Push {
  action: string;
  payload: {
    chat?: { id: string; users: { id: string; type: string; present: boolean }[] };
    chat_id?: string;
    transferred_to?: { agent_ids?: string[] };
  };
}

/** Who answers which chat, as agents hear of it. */
const readAnswer = ({ action, payload }: Push): [chatId: string, agentId: string] | undefined => {
  if (action === 'incoming_chat') {
    const agent = payload.chat!.users.find(({ type, present }) => type === 'agent' && present);
    return agent && [payload.chat!.id, agent.id];
  }
  const agentId = payload.transferred_to?.agent_ids?.[0];
  return action === 'chat_transferred' && agentId !== undefined ? [payload.chat_id!, agentId] : undefined;
};

/** An owner who is away, and so gets no chats but hears of all. */
const watch = async (url: string, key: string, hear: (push: Push) => void): Promise<WebSocket> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v3.5/agent/rtm/ws`);
  await once(socket, 'open');
  const pushes = { '3.5': ['incoming_chat', 'chat_transferred'] };
  socket.send(JSON.stringify({ action: 'login', payload: { token: `Bearer ${key}`, away: true, pushes } }));
  await once(socket, 'message');
  socket.on('message', (data) => hear(JSON.parse(String(data))));
  return socket;
};

const run = async ({
  urls,
  crew,
  seconds,
  atOnce,
  talkMs,
  stopAfterMs,
  giveUpAfterMs,
}: RoutingTask): Promise<RoutingResult> => {
  const started: RoutingResult['started'] = [];
  const answered = new Set<string>();
  const closings: Promise<void>[] = [];
  let failures = 0;
  let busy = 0;
  let come = false;
  const onBusy = (): void => void busy++;
  const giveUp = AbortSignal.timeout(giveUpAfterMs);
  const allAnswered = Promise.withResolvers<void>();
  giveUp.addEventListener('abort', () => allAnswered.resolve());

  const close = async (chatId: string, agentId: string): Promise<void> => {
    await setTimeout(talkMs);
    const url = `${urls[closings.length % urls.length]}/v3.5/agent/action/deactivate_chat`;
    if ((await insist(url, crew.keys[agentId]!, { id: chatId }, onBusy)).status !== 200) failures++;
  };
  const hear = (push: Push): void => {
    const [chatId, agentId] = readAnswer(push) ?? [];
    if (!chatId || !agentId || answered.has(chatId)) return;
    answered.add(chatId);
    if (talkMs !== undefined) closings.push(close(chatId, agentId));
    if (come && answered.size >= started.length) allAnswered.resolve();
  };
  const watchers = await Promise.all(urls.map((url) => watch(url, crew.owner, hear)));

  const arrive = async (token: string, at: number): Promise<void> => {
    const sentAt = Date.now();
    const url = `${urls[at % urls.length]}/v3.5/customer/action/start_chat?organization_id=${crew.organizationId}`;
    const { status, text } = await insist(url, token, {}, onBusy);
    if (status === 200) started.push({ chatId: JSON.parse(text).chat_id, sentAt, ms: Date.now() - sentAt });
    else failures++;
  };
  const began = performance.now();
  const coming = crew.customers.entries();
  const comeInTurn = async (): Promise<void> => {
    for (const [at, token] of coming) {
      if (performance.now() - began > stopAfterMs) return;
      await arrive(token, at);
    }
  };
  const comeInTime = (): Promise<void>[] =>
    crew.customers.map(async (token, at) => {
      await setTimeout((at / crew.customers.length) * seconds * 1000);
      await arrive(token, at);
    });
  await Promise.all(seconds === 0 ? Array.from({ length: atOnce }, comeInTurn) : comeInTime());
  const done = performance.now();
  come = true;
  if (answered.size >= started.length) allAnswered.resolve();
  await allAnswered.promise;
  await Promise.all(closings);
  for (const watcher of watchers) watcher.terminate();
  connections.destroy();
  return { started, seconds: (done - began) / 1000, failures, busy, answered: answered.size };
};

if (import.meta.main) {
  let input = '';
  for await (const chunk of process.stdin) input += String(chunk);
  process.stdout.write(JSON.stringify(await run(JSON.parse(input) as RoutingTask)), () => process.exit(0));
}
