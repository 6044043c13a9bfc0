import pg from 'pg';
import { createHttp } from '#server/http.ts';
import { percentile } from './http-load.ts';
import { countStatements, measureCeiling } from './routing-ceiling.ts';
import {
  countAnsweredTwice,
  countOutOfOrder,
  idealWaits,
  maxConcurrentChats,
  readAssignments,
  type ViolationCounts,
  watchViolations,
} from './routing-checks.ts';
import type { RoutingResult, RoutingTask } from './routing-load.ts';
import { createTeam, type Installation, seedHistory, startInstallation, type Team } from './routing-setup.ts';
import { runTask } from './task-process.ts';

const CHATS = 1_000;
const AGENTS = 100;
const CONCURRENCY = 64;
/** The maximum number of connections that two servers open. */
const CEILING_CONNECTIONS = 40;
const TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 250;
const SAMPLE_SIZE = 20;

interface Scenario {
  chats: number;
  limit: number;
  seconds: number;
  talkMs?: number;
}

/** Agents have capacity for all chats, so that only routing takes time. */
const BURST: Scenario = { chats: CHATS, limit: CHATS / AGENTS, seconds: 0 };

const MAX_SECONDS = 20;

/**
 * Chats arrive at a rate that the servers can sustain, because each chat is also closed, and 25 % faster than agents can answer,
 * so that a queue forms. On a slow machine fewer chats arrive.
 */
const createQueueScenario = (startsPerSecond: number): Scenario => {
  const perSecond = Math.max(startsPerSecond / 3, (2 * AGENTS) / MAX_SECONDS);
  const chats = Math.round(Math.min(CHATS, perSecond * MAX_SECONDS));
  return { chats, limit: 1, seconds: chats / perSecond, talkMs: (AGENTS / perSecond) * 1_250 };
};

interface Outcome {
  result: RoutingResult;
  highest: ViolationCounts;
  assignments: Awaited<ReturnType<typeof readAssignments>>;
  /** CPU time of both servers per assigned chat. */
  cpuMs: number;
  violations: Record<string, number>;
}

const runScenario = async (installation: Installation, client: pg.Client, scenario: Scenario): Promise<Outcome> => {
  const { chats, limit, ...pace } = scenario;
  const team = await createTeam(installation.context, { agents: AGENTS, limit, customers: chats });
  const watcher = watchViolations(client, team.organizationId, POLL_INTERVAL_MS);
  const urls = installation.servers.map(({ url }) => url);
  const cpuSeconds = () => installation.servers.reduce((sum, server) => sum + server.cpuSeconds(), 0);
  const cpuBefore = cpuSeconds();
  const result = await runTask<RoutingTask, RoutingResult>('./routing-load.ts', {
    ...{ urls, team, concurrency: CONCURRENCY, arrivalTimeoutMs: MAX_SECONDS * 1000, timeoutMs: TIMEOUT_MS },
    ...pace,
  });
  const highest = await watcher.stop();
  const assignments = await readAssignments(client, team.organizationId);
  const cpuMs = ((cpuSeconds() - cpuBefore) * 1000) / assignments.length;
  const violations = {
    'agents above their limit': highest.aboveLimit + Math.max(maxConcurrentChats(assignments) - limit, 0),
    'chats answered twice': countAnsweredTwice(assignments),
    'chats neither assigned nor queued, or both': highest.inconsistent,
    'chats queued despite capacity': highest.waitingDespiteCapacity,
    'chats answered out of order': countOutOfOrder(assignments),
    'chats never answered': result.started.length - new Set(assignments.map(({ chatId }) => chatId)).size,
    'requests failed': result.failures,
  };
  if (result.retries > 0) console.log(`${result.retries} requests were retried after a 503 response`);
  return { result, highest, assignments, cpuMs, violations };
};

/** Counts all statements of a request over HTTP. It runs in this process, where statements can be counted. */
const statementsPerStart = async ({ context }: Installation, limit: number): Promise<number> => {
  const { organizationId, customers }: Team = await createTeam(context, {
    agents: 1,
    limit,
    customers: SAMPLE_SIZE + 1,
  });
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
  return count / SAMPLE_SIZE;
};

/** The waits, and the part of them that ideal routing would have avoided. */
const excessWaits = ({ result, assignments }: Outcome): { waits: number[]; excess: number[] } => {
  const byChat = new Map(assignments.map((one) => [one.chatId, one]));
  const arrivals = result.started
    .filter(({ chatId }) => byChat.has(chatId))
    .map(({ chatId, sentAt }) => {
      const { assignedAt, endedAt } = byChat.get(chatId)!;
      return { sentAt, assignedAt, talkMs: (endedAt ?? assignedAt) - assignedAt };
    })
    .toSorted((one, other) => one.sentAt - other.sentAt);
  const ideal = idealWaits(arrivals, AGENTS);
  const waits = arrivals.map(({ sentAt, assignedAt }) => assignedAt - sentAt);
  return { waits, excess: waits.map((wait, at) => wait - ideal[at]!) };
};

const mean = (values: number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const assignmentSeconds = ({ assignments }: Outcome): number => {
  const times = assignments.map(({ assignedAt }) => assignedAt);
  return (Math.max(...times) - Math.min(...times)) / 1000;
};

const printBurst = (burst: Outcome, ceiling: number): void => {
  const perSecond = burst.assignments.length / burst.result.seconds;
  const latencies = burst.result.started.map(({ ms }) => ms);
  console.table({
    'ceiling: lock and insert one row': { 'per second': Math.round(ceiling), 'ratio to ceiling': '1.00' },
    [`assignments, ${burst.assignments.length} chats, ${CONCURRENCY} concurrent`]: {
      'per second': Math.round(perSecond),
      'ratio to ceiling': (perSecond / ceiling).toFixed(2),
      'p50 ms': percentile(latencies, 0.5).toFixed(0),
      'p99 ms': percentile(latencies, 0.99).toFixed(0),
      'server CPU ms': burst.cpuMs.toFixed(1),
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
    `${queue.result.started.length} chats with a queue of up to ${queue.highest.queued}: ${(queue.assignments.length / assignmentSeconds(queue)).toFixed(0)} assignments per second, limited by the agents`,
  );
  console.table({ 'from start_chat to assignment': row(waits), 'beyond ideal routing': row(excess) });
};

/** Runs a burst that agents have capacity for, and then a steady load above their capacity, so that a queue forms. */
export const run = async (): Promise<void> => {
  const installation = await startInstallation();
  const client = new pg.Client(installation.connection);
  await client.connect();
  try {
    const { hasNats } = installation;
    console.log(
      `Two servers, one database, ${hasNats ? 'connected by NATS' : 'not connected: nats-server is not installed'}`,
    );
    await seedHistory(installation.context, client);
    const ceiling = await measureCeiling(installation.connection, CHATS, CEILING_CONNECTIONS);
    const burst = await runScenario(installation, client, BURST);
    printBurst(burst, ceiling);
    const queue = await runScenario(
      installation,
      client,
      createQueueScenario(burst.assignments.length / burst.result.seconds),
    );
    printQueue(queue);
    console.table({
      'start_chat, assigned': {
        'statements, including begin and commit': await statementsPerStart(installation, 50),
      },
      'start_chat, queued': { 'statements, including begin and commit': await statementsPerStart(installation, 1) },
    });
    console.table(
      Object.fromEntries(
        Object.keys(burst.violations).map((name) => [
          name,
          { burst: burst.violations[name], 'with a queue': queue.violations[name] },
        ]),
      ),
    );
    const total = [burst, queue]
      .flatMap(({ violations }) => Object.values(violations))
      .reduce((sum, one) => sum + one, 0);
    console.log(`violations: ${total}`);
    if (total > 0) process.exitCode = 1;
  } finally {
    await client.end();
    await installation.stop();
  }
};
