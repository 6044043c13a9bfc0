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
import { burst, createFixture, one, type ProcessControl, restart } from './routing-model-commands.ts';
import { closeShop, createShop } from './routing-model-fixture.ts';
import { openSocketObserver } from './routing-model-observed-events.ts';
import { anyStep, loseServer } from './routing-model-steps.ts';
import { type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const MIN_RUNS = 3;
const MAX_MS = Number(process.env.MODEL_MS ?? 8_000);
const MAX_COMMANDS = 25;
const TIMEOUT_MS = 60_000;
const SECRET_KEY = 'secret-key-of-two-processes';

const server = fc.nat({ max: 1 });
const anyCommand = fc.oneof(
  { weight: 8, arbitrary: anyStep.map(one) },
  { weight: 8, arbitrary: fc.array(anyStep, { minLength: 6, maxLength: 14, size: 'max' }).map(burst) },
  { weight: 1, arbitrary: server.map(restart) },
);

describe.skipIf(!hasNatsServer)('two server processes', () => {
  let nats: Awaited<ReturnType<typeof startNatsServer>>;
  let env: Record<string, string>;
  let processes: ServerProcess[] = [];
  let setup: Context;
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-e2e-'));

  beforeAll(async () => {
    nats = await startNatsServer();
    const connection = await createTestDatabase();
    env = { DATABASE_URL: toDatabaseUrl(connection), NATS_URL: nats.url, SECRET_KEY, RATE_LIMITS: 'off', ROLES: 'web' };
    processes = [await startProcess(env), await startProcess(env)];
    setup = await openContext({
      config: { ...readConfig({ DATA_DIR: dataDir }), natsUrl: nats.url },
      secrets: { secretKey: SECRET_KEY, operatorToken: 'unused' },
      connection,
      log: pino({ level: 'silent' }),
      publicUrl: () => 'http://parley.test',
    });
  });
  afterAll(async () => {
    await setup?.close();
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
          const shop = await createShop(
            setup.services,
            processes.map(({ url }) => ({ url })),
          );
          const observer = await openSocketObserver(shop);
          const control: ProcessControl = {
            timeoutMs: TIMEOUT_MS,
            restart: async (_, at) => {
              await processes[at]!.kill();
              loseServer(shop, shop.servers[at]!);
              processes[at] = await startProcess(env);
              shop.servers[at] = { url: processes[at].url };
              await observer.reconnect(at);
            },
          };
          try {
            const fixture = await createFixture(shop, observer, control);
            await fc.asyncModelRun(() => ({ model: { budget }, real: fixture }), commands);
            budget.complete();
          } finally {
            observer.close();
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
