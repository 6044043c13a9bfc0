import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { organizationTopic, readEvent } from '#server/domain/events.ts';
import { extendConnections } from '#server/domain/support/agents/presence/connections.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { createRunBudget } from '#server/testing/models/run-budget.ts';
import { burst, createFixture, one, type ProcessControl, passTime, restart } from './routing-model-commands.ts';
import { closeShop, createShop, type Shop } from './routing-model-fixture.ts';
import { createBusObserver } from './routing-model-observed-events.ts';
import { groupStatusesOf } from './routing-model-rules.ts';
import { takeSnapshot } from './routing-model-snapshot.ts';
import { anyStep, expectTimedOutOffline, loseServer } from './routing-model-steps.ts';

const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const RUNS = Number(process.env.RUNS ?? 40);
const MIN_RUNS = 4;
const MAX_MS = Number(process.env.MODEL_MS ?? 12_000);
const MAX_COMMANDS = 40;
const HEARTBEAT_SECONDS = 10;

/** Creates test data and makes changes that no API offers; never restarted. */
let setup: TestApp;
let processes: TestApp[];

const startProcess = async (): Promise<TestApp> => {
  const test = await startTestApp({ beside: setup });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  return test;
};

beforeAll(async () => {
  setup = await startTestApp();
  processes = [await startProcess(), await startProcess()];
});
afterAll(async () => {
  for (const test of [...(processes ?? []), setup]) await test?.[Symbol.asyncDispose]();
});

type BusObserver = ReturnType<typeof createBusObserver>;

const follow = ({ context }: TestApp, { organizationId }: Shop, { apply }: BusObserver) =>
  context.ports.bus.subscribe(organizationTopic(organizationId), (text) => apply(readEvent(text as string)));

/** Extends the connections of both processes, as the heartbeat does every ten seconds. */
const extendAllConnections = async ({ agents, organizationId, scope }: Shop): Promise<void> => {
  const open = agents.flatMap(({ sockets }) => sockets.map(({ connectionId }) => ({ organizationId, connectionId })));
  await extendConnections(scope.services.executor, open, scope.now());
};

const createProcessControl = (observed: BusObserver): ProcessControl => ({
  timeoutMs: 0,
  passTime: async (shop, seconds, server) => {
    for (let left = seconds; left > 0; left -= HEARTBEAT_SECONDS) {
      setup.clock.advance(Math.min(left, HEARTBEAT_SECONDS) * 1000);
      await extendAllConnections(shop);
    }
    await processes[server]!.context.background.scheduler.runFrequent();
    expectTimedOutOffline(shop);
  },
  restart: async (shop, server) => {
    await processes[server]![Symbol.asyncDispose]();
    loseServer(shop, shop.servers[server]!);
    processes[server] = await startProcess();
    shop.servers[server] = { url: processes[server].app.listeningOrigin };
    follow(processes[server], shop, observed);
  },
});

const server = fc.nat({ max: 1 });
const anyCommand = fc.oneof(
  { weight: 20, arbitrary: anyStep.map(one) },
  { weight: 5, arbitrary: fc.array(anyStep, { minLength: 3, maxLength: 8, size: 'max' }).map(burst) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(5, 31, 70), server).map((pair) => passTime(...pair)) },
  { weight: 1, arbitrary: server.map(restart) },
);

it(
  'routing respects limits, loses no chat, keeps the queue order and reports the true state after any sequence of actions',
  async () => {
    const budget = createRunBudget({ minRuns: MIN_RUNS, maxMs: MAX_MS });
    await fc.assert(
      fc.asyncProperty(fc.commands([anyCommand], { maxCommands: MAX_COMMANDS, size: 'max' }), async (commands) => {
        if (budget.isSpent()) return;
        const servers = processes.map(({ app }) => ({ url: app.listeningOrigin }));
        const shop = await createShop(setup.context.services, servers);
        const observed = createBusObserver(groupStatusesOf(await takeSnapshot(shop)));
        for (const test of [setup, ...processes]) follow(test, shop, observed);
        const fixture = await createFixture(shop, observed, createProcessControl(observed));
        try {
          await fc.asyncModelRun(() => ({ model: { budget }, real: fixture }), commands);
          budget.complete();
        } finally {
          closeShop(shop);
        }
      }),
      { ...SEED, numRuns: RUNS, endOnFailure: true },
    );
    expect(budget.completed()).toBeGreaterThanOrEqual(MIN_RUNS);
  },
  MAX_MS + 180_000,
);
