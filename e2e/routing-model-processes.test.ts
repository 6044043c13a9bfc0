import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { type Context, openContext } from '#server/context.ts';
import { hasNatsServer, startNatsServer } from '#server/testing/app/nats-server.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { createRunBudget } from '#server/testing/models/run-budget.ts';
import { closeShop, openShop } from './routing-model-shop.ts';
import { anyStep, loseSide } from './routing-model-steps.ts';
import { openEars } from './routing-model-told.ts';
import { burst, one, openWorld, restart, type Stage } from './routing-model-world.ts';
import { type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const MIN_RUNS = 3;
const MAX_MS = Number(process.env.MODEL_MS ?? 8_000);
const MAX_COMMANDS = 25;
const PATIENCE_MS = 5_000;
const SECRET_KEY = 'secret-key-of-two-processes';

const side = fc.nat({ max: 1 });
const anyCommand = fc.oneof(
  { weight: 8, arbitrary: anyStep.map(one) },
  { weight: 8, arbitrary: fc.array(anyStep, { minLength: 6, maxLength: 14, size: 'max' }).map(burst) },
  { weight: 1, arbitrary: side.map(restart) },
);

describe.skipIf(!hasNatsServer)('two server processes', () => {
  let nats: Awaited<ReturnType<typeof startNatsServer>>;
  let env: Record<string, string>;
  let processes: ServerProcess[] = [];
  let desk: Context;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-e2e-'));

  beforeAll(async () => {
    nats = await startNatsServer();
    const connection = await createTestDatabase();
    env = { DATABASE_URL: toDatabaseUrl(connection), NATS_URL: nats.url, SECRET_KEY, RATE_LIMITS: 'off', ROLES: 'web' };
    processes = [await startProcess(env), await startProcess(env)];
    desk = await openContext({
      config: { ...readConfig({ DATA_DIR: dataDir }), natsUrl: nats.url },
      secrets: { secretKey: SECRET_KEY, operatorToken: 'nobody asks' },
      connection,
      log: pino({ level: 'silent' }),
      publicUrl: () => 'http://parley.test',
    });
  });
  afterAll(async () => {
    await desk?.close();
    for (const { stop } of processes) await stop();
    await nats?.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it(
    'agree with each other and with the routing rules, even when one of them is killed',
    async () => {
      const budget = createRunBudget({ minRuns: MIN_RUNS, maxMs: MAX_MS });
      await fc.assert(
        fc.asyncProperty(fc.commands([anyCommand], { maxCommands: MAX_COMMANDS, size: 'max' }), async (commands) => {
          if (budget.isSpent()) return;
          const shop = await openShop(
            desk.services,
            processes.map(({ url }) => ({ url })),
          );
          const ears = await openEars(shop);
          const stage: Stage = {
            patienceMs: PATIENCE_MS,
            restart: async (_, at) => {
              await processes[at]!.kill();
              loseSide(shop, shop.sides[at]!);
              processes[at] = await startProcess(env);
              shop.sides[at] = { url: processes[at].url };
              await ears.listenAgain(at);
            },
          };
          try {
            const world = await openWorld(shop, ears, stage);
            await fc.asyncModelRun(() => ({ model: { budget }, real: world }), commands);
            budget.complete();
          } finally {
            ears.close();
            closeShop(shop);
          }
        }),
        { ...SEED, numRuns: 20, endOnFailure: true },
      );
      expect(budget.completed()).toBeGreaterThanOrEqual(MIN_RUNS);
    },
    MAX_MS + 180_000,
  );
});
