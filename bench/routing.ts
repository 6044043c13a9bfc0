import pg from 'pg';
import { createHttp } from '#server/http.ts';
import { percentile } from './http-load.ts';
import { type Crew, hireCrew, type Installation, seedHistory, startInstallation } from './routing-arrange.ts';
import { countStatements, measureCeiling } from './routing-ceiling.ts';
import {
  answeredTwice,
  idealWaits,
  type Moment,
  maxConcurrent,
  outOfTurn,
  readHistory,
  watchTables,
} from './routing-judge.ts';
import type { RoutingResult, RoutingTask } from './routing-load.ts';
import { runTask } from './task-process.ts';

const CHATS = 1_000;
const AGENTS = 100;
const AT_ONCE = 64;
/** As many as two servers open at most. */
const CEILING_CONNECTIONS = 40;
const GIVE_UP_AFTER_MS = 60_000;
const LOOK_MS = 250;
const SAMPLE = 20;

interface Course {
  chats: number;
  limit: number;
  seconds: number;
  talkMs?: number;
}

/** All of them fit, so that nothing but routing takes time. */
const RUSH: Course = { chats: CHATS, limit: CHATS / AGENTS, seconds: 0 };

const MAX_SECONDS = 20;

/**
 * At a pace that the servers can keep, since each chat is also closed, and a quarter faster than agents can: so a queue forms
 * that has a reason. On a slow machine fewer come.
 */
const paceQueue = (startsPerSecond: number): Course => {
  const perSecond = Math.max(startsPerSecond / 3, (2 * AGENTS) / MAX_SECONDS);
  const chats = Math.round(Math.min(CHATS, perSecond * MAX_SECONDS));
  return { chats, limit: 1, seconds: chats / perSecond, talkMs: (AGENTS / perSecond) * 1_250 };
};

interface Outcome {
  result: RoutingResult;
  worst: Moment;
  history: Awaited<ReturnType<typeof readHistory>>;
  /** Of both servers, for each chat that was answered. */
  cpuMs: number;
  violations: Record<string, number>;
}

const runCourse = async (installation: Installation, client: pg.Client, course: Course): Promise<Outcome> => {
  const { chats, limit, ...pace } = course;
  const crew = await hireCrew(installation.context, { agents: AGENTS, limit, customers: chats });
  const watching = watchTables(client, crew.organizationId, LOOK_MS);
  const urls = installation.servers.map(({ url }) => url);
  const cpuSeconds = () => installation.servers.reduce((sum, server) => sum + server.cpuSeconds(), 0);
  const cpuBefore = cpuSeconds();
  const result = await runTask<RoutingTask, RoutingResult>('./routing-load.ts', {
    ...{ urls, crew, atOnce: AT_ONCE, stopAfterMs: MAX_SECONDS * 1000, giveUpAfterMs: GIVE_UP_AFTER_MS },
    ...pace,
  });
  const worst = await watching.stop();
  const history = await readHistory(client, crew.organizationId);
  const cpuMs = ((cpuSeconds() - cpuBefore) * 1000) / history.length;
  const violations = {
    'agents above their limit': worst.aboveLimit + Math.max(maxConcurrent(history) - limit, 0),
    'chats answered twice': answeredTwice(history),
    'chats neither answered nor waiting, or both': worst.neitherOrBoth,
    'chats that waited despite room': worst.waitingDespiteRoom,
    'chats answered out of turn': outOfTurn(history),
    'chats never answered': result.started.length - new Set(history.map(({ chatId }) => chatId)).size,
    'requests refused': result.failures,
  };
  if (result.busy > 0) console.log(`${result.busy} requests were tried again: the servers had too much to do`);
  return { result, worst, history, cpuMs, violations };
};

/** In this process, so that each statement can be counted; with all that a request over HTTP needs. */
const statementsPerStart = async ({ context }: Installation, limit: number): Promise<number> => {
  const { organizationId, customers }: Crew = await hireCrew(context, { agents: 1, limit, customers: SAMPLE + 1 });
  const app = await createHttp(context);
  const start = async (token: string): Promise<void> => {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/v3.5/customer/action/start_chat?organization_id=${organizationId}`,
      headers: { authorization: `Bearer ${token}` },
      payload: {},
    });
    if (statusCode !== 200) throw new Error(`start_chat answered ${statusCode}`);
  };
  await start(customers.pop()!);
  const count = await countStatements(async () => {
    for (const token of customers) await start(token);
  });
  await app.close();
  return count / SAMPLE;
};

/** Beyond what no routing could have spared them. */
const excessWaits = ({ result, history }: Outcome): { waits: number[]; excess: number[] } => {
  const answers = new Map(history.map((one) => [one.chatId, one]));
  const arrivals = result.started
    .filter(({ chatId }) => answers.has(chatId))
    .map(({ chatId, sentAt }) => {
      const { assignedAt, endedAt } = answers.get(chatId)!;
      return { sentAt, assignedAt, talkMs: (endedAt ?? assignedAt) - assignedAt };
    })
    .toSorted((one, other) => one.sentAt - other.sentAt);
  const ideal = idealWaits(arrivals, AGENTS);
  const waits = arrivals.map(({ sentAt, assignedAt }) => assignedAt - sentAt);
  return { waits, excess: waits.map((wait, at) => wait - ideal[at]!) };
};

const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const spanOf = ({ history }: Outcome): number => {
  const times = history.map(({ assignedAt }) => assignedAt);
  return (Math.max(...times) - Math.min(...times)) / 1000;
};

const printRush = (rush: Outcome, ceiling: number): void => {
  const perSecond = rush.history.length / rush.result.seconds;
  const latencies = rush.result.started.map(({ ms }) => ms);
  console.table({
    'bare transactions with the turn and one row': { 'per second': Math.round(ceiling), 'ratio to ceiling': '1.00' },
    [`assignments, ${rush.history.length} chats, ${AT_ONCE} at once`]: {
      'per second': Math.round(perSecond),
      'ratio to ceiling': (perSecond / ceiling).toFixed(2),
      'p50 ms': percentile(latencies, 0.5).toFixed(0),
      'p99 ms': percentile(latencies, 0.99).toFixed(0),
      'server CPU ms': rush.cpuMs.toFixed(1),
    },
  });
};

const printQueue = (queue: Outcome): void => {
  const { waits, excess } = excessWaits(queue);
  const row = (values: number[]) => ({
    'mean ms': mean(values).toFixed(0),
    'p50 ms': percentile(values, 0.5).toFixed(0),
    'p99 ms': percentile(values, 0.99).toFixed(0),
  });
  console.log(
    `${queue.result.started.length} chats with a queue of up to ${queue.worst.queued}: ${(queue.history.length / spanOf(queue)).toFixed(0)} assignments per second, which is how fast agents are done`,
  );
  console.table({ 'from asking to an agent': row(waits), 'beyond the unavoidable': row(excess) });
};

/** The same chats twice: as fast as they can be given out, and with fewer places than chats, so that a queue forms. */
export const run = async (): Promise<void> => {
  const installation = await startInstallation();
  const client = new pg.Client(installation.connection);
  await client.connect();
  try {
    const { linked } = installation;
    console.log(`Two servers, one database, ${linked ? 'joined by NATS' : 'not joined: there is no nats-server'}`);
    await seedHistory(installation.context, client);
    const ceiling = await measureCeiling(installation.connection, CHATS, CEILING_CONNECTIONS);
    const rush = await runCourse(installation, client, RUSH);
    printRush(rush, ceiling);
    const queue = await runCourse(installation, client, paceQueue(rush.history.length / rush.result.seconds));
    printQueue(queue);
    console.table({
      'start_chat that finds an agent': {
        'statements, with begin and commit': await statementsPerStart(installation, 50),
      },
      'start_chat that waits': { 'statements, with begin and commit': await statementsPerStart(installation, 1) },
    });
    console.table(
      Object.fromEntries(
        Object.keys(rush.violations).map((name) => [
          name,
          { 'at once': rush.violations[name], 'with a queue': queue.violations[name] },
        ]),
      ),
    );
    const total = [rush, queue]
      .flatMap(({ violations }) => Object.values(violations))
      .reduce((sum, one) => sum + one, 0);
    console.log(`violations: ${total}`);
    if (total > 0) process.exitCode = 1;
  } finally {
    await client.end();
    await installation.stop();
  }
};
