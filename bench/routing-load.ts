import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import WebSocket from 'ws';
import type { Team } from './routing-setup.ts';

/** Simulates customers who start chats and agents who close them, in a separate process: task on standard input, result on standard output. */
export interface RoutingTask {
  urls: string[];
  team: Team;
  /** Arrivals are spread evenly over this time; with 0, `concurrency` customers arrive one after another without a pause. */
  seconds: number;
  concurrency: number;
  /** The duration of a chat; without it, chats are not closed. */
  talkMs?: number;
  /** No customer arrives after this time. */
  arrivalTimeoutMs: number;
  timeoutMs: number;
}

export interface RoutingResult {
  /** The send time and the latency of each start_chat request. */
  started: { chatId: string; sentAt: number; ms: number }[];
  seconds: number;
  failures: number;
  /** The number of retries after a 503 response. */
  retries: number;
  /** The number of chats that were assigned according to pushes. */
  assigned: number;
}

const connections = new Agent({ keepAlive: true, maxSockets: 64 });

const post = async (url: string, token: string, body: object): Promise<{ status: number; text: string }> => {
  const outgoing = request(url, {
    method: 'POST',
    agent: connections,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  outgoing.end(JSON.stringify(body));
  const [response] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, text };
};

const RETRY_DELAY_MS = 250;

/** Retries after a 503 response, which the server sends when it is overloaded. */
const postWithRetry = async (url: string, token: string, body: object, onRetry: () => void) => {
  for (;;) {
    const answer = await post(url, token, body);
    if (answer.status !== 503) return answer;
    onRetry();
    await setTimeout(RETRY_DELAY_MS);
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

/** Reads the assigned agent from a push. */
const readAssignment = ({ action, payload }: Push): [chatId: string, agentId: string] | undefined => {
  if (action === 'incoming_chat') {
    const agent = payload.chat!.users.find(({ type, present }) => type === 'agent' && present);
    return agent && [payload.chat!.id, agent.id];
  }
  const agentId = payload.transferred_to?.agent_ids?.[0];
  return action === 'chat_transferred' && agentId !== undefined ? [payload.chat_id!, agentId] : undefined;
};

/** Logs in as the owner with status away, who gets pushes of all chats and no chats. */
const watch = async (url: string, key: string, onPush: (push: Push) => void): Promise<WebSocket> => {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v3.5/agent/rtm/ws`);
  await once(socket, 'open');
  const pushes = { '3.5': ['incoming_chat', 'chat_transferred'] };
  socket.send(JSON.stringify({ action: 'login', payload: { token: `Bearer ${key}`, away: true, pushes } }));
  await once(socket, 'message');
  socket.on('message', (data) => onPush(JSON.parse(String(data))));
  return socket;
};

const run = async ({
  urls,
  team,
  seconds,
  concurrency,
  talkMs,
  arrivalTimeoutMs,
  timeoutMs,
}: RoutingTask): Promise<RoutingResult> => {
  const started: RoutingResult['started'] = [];
  const assigned = new Set<string>();
  const closings: Promise<void>[] = [];
  let failures = 0;
  let retries = 0;
  let areAllStarted = false;
  const onRetry = (): void => void retries++;
  const timeout = AbortSignal.timeout(timeoutMs);
  const allAssigned = Promise.withResolvers<void>();
  timeout.addEventListener('abort', () => allAssigned.resolve());

  const close = async (chatId: string, agentId: string): Promise<void> => {
    await setTimeout(talkMs);
    const url = `${urls[closings.length % urls.length]}/v3.5/agent/action/deactivate_chat`;
    if ((await postWithRetry(url, team.keys[agentId]!, { id: chatId }, onRetry)).status !== 200) failures++;
  };
  const onPush = (push: Push): void => {
    const [chatId, agentId] = readAssignment(push) ?? [];
    if (!chatId || !agentId || assigned.has(chatId)) return;
    assigned.add(chatId);
    if (talkMs !== undefined) closings.push(close(chatId, agentId));
    if (areAllStarted && assigned.size >= started.length) allAssigned.resolve();
  };
  const watchers = await Promise.all(urls.map((url) => watch(url, team.owner, onPush)));

  const arrive = async (token: string, index: number): Promise<void> => {
    const sentAt = Date.now();
    const url = `${urls[index % urls.length]}/v3.5/customer/action/start_chat?organization_id=${team.organizationId}`;
    const { status, text } = await postWithRetry(url, token, {}, onRetry);
    if (status === 200) started.push({ chatId: JSON.parse(text).chat_id, sentAt, ms: Date.now() - sentAt });
    else failures++;
  };
  const startedAt = performance.now();
  const remaining = team.customers.entries();
  const arriveConsecutively = async (): Promise<void> => {
    for (const [index, token] of remaining) {
      if (performance.now() - startedAt > arrivalTimeoutMs) return;
      await arrive(token, index);
    }
  };
  const arriveOnSchedule = (): Promise<void>[] =>
    team.customers.map(async (token, index) => {
      await setTimeout((index / team.customers.length) * seconds * 1000);
      await arrive(token, index);
    });
  await Promise.all(seconds === 0 ? Array.from({ length: concurrency }, arriveConsecutively) : arriveOnSchedule());
  const endedAt = performance.now();
  areAllStarted = true;
  if (assigned.size >= started.length) allAssigned.resolve();
  await allAssigned.promise;
  await Promise.all(closings);
  for (const watcher of watchers) watcher.terminate();
  connections.destroy();
  return { started, seconds: (endedAt - startedAt) / 1000, failures, retries, assigned: assigned.size };
};

if (import.meta.main) {
  let input = '';
  for await (const chunk of process.stdin) input += String(chunk);
  process.stdout.write(JSON.stringify(await run(JSON.parse(input) as RoutingTask)), () => process.exit(0));
}
