import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { organizationTopic, readEvent } from '#server/domain/events.ts';
import { extendConnections } from '#server/domain/support/agents/presence/connections.ts';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { createRunBudget } from '#server/testing/models/run-budget.ts';
import { groupStatusesOf } from './routing-model-rules.ts';
import { closeShop, openShop, type Shop } from './routing-model-shop.ts';
import { takeSnapshot } from './routing-model-snapshot.ts';
import { anyStep, expectGone, loseSide } from './routing-model-steps.ts';
import { createTold } from './routing-model-told.ts';
import { burst, one, openWorld, passTime, restart, type Stage } from './routing-model-world.ts';

const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const RUNS = Number(process.env.RUNS ?? 40);
const MIN_RUNS = 4;
const MAX_MS = Number(process.env.MODEL_MS ?? 12_000);
const MAX_COMMANDS = 40;
const HEARTBEAT_SECONDS = 10;

/** Creates test data and makes changes that no API offers; never restarted. */
let desk: TestApp;
let processes: TestApp[];

const startProcess = async (): Promise<TestApp> => {
  const test = await startTestApp({ beside: desk });
  await test.app.listen({ port: 0, host: '127.0.0.1' });
  return test;
};

beforeAll(async () => {
  desk = await startTestApp();
  processes = [await startProcess(), await startProcess()];
});
afterAll(async () => {
  for (const test of [...(processes ?? []), desk]) await test?.[Symbol.asyncDispose]();
});

type Ear = ReturnType<typeof createTold>;

const follow = ({ context }: TestApp, { organizationId }: Shop, { hear }: Ear) =>
  context.bus.subscribe(organizationTopic(organizationId), (text) => hear(readEvent(text as string)));

/** Extends the connections of both processes, as the heartbeat does every ten seconds. */
const renew = async ({ agents, organizationId, scope }: Shop): Promise<void> => {
  const open = agents.flatMap(({ sockets }) => sockets.map(({ connectionId }) => ({ organizationId, connectionId })));
  await extendConnections(scope.services.executor, open, scope.now());
};

const createStage = (told: Ear): Stage => ({
  patienceMs: 0,
  passTime: async (shop, seconds, side) => {
    for (let left = seconds; left > 0; left -= HEARTBEAT_SECONDS) {
      desk.clock.advance(Math.min(left, HEARTBEAT_SECONDS) * 1000);
      await renew(shop);
    }
    await processes[side]!.context.scheduler.runFrequent();
    expectGone(shop);
  },
  restart: async (shop, side) => {
    await processes[side]![Symbol.asyncDispose]();
    loseSide(shop, shop.sides[side]!);
    processes[side] = await startProcess();
    shop.sides[side] = { url: processes[side].app.listeningOrigin };
    follow(processes[side], shop, told);
  },
});

const side = fc.nat({ max: 1 });
const anyCommand = fc.oneof(
  { weight: 20, arbitrary: anyStep.map(one) },
  { weight: 5, arbitrary: fc.array(anyStep, { minLength: 3, maxLength: 8, size: 'max' }).map(burst) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(5, 31, 70), side).map((pair) => passTime(...pair)) },
  { weight: 1, arbitrary: side.map(restart) },
);

it(
  'routing respects limits, loses no chat, keeps the queue order and reports the true state after any sequence of actions',
  async () => {
    const budget = createRunBudget({ minRuns: MIN_RUNS, maxMs: MAX_MS });
    await fc.assert(
      fc.asyncProperty(fc.commands([anyCommand], { maxCommands: MAX_COMMANDS, size: 'max' }), async (commands) => {
        if (budget.isSpent()) return;
        const sides = processes.map(({ app }) => ({ url: app.listeningOrigin }));
        const shop = await openShop(desk.context.services, sides);
        const told = createTold(groupStatusesOf(await takeSnapshot(shop)));
        for (const test of [desk, ...processes]) follow(test, shop, told);
        const world = await openWorld(shop, told, createStage(told));
        try {
          await fc.asyncModelRun(() => ({ model: { budget }, real: world }), commands);
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
