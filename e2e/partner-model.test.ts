import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runCommand } from '#server/commands/dispatch.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { createRunBudget } from '#server/testing/models/run-budget.ts';
import { createFixture, type Fixture } from './partner-model-fixture.ts';
import { computePartnerNumbers } from './partner-model-state.ts';
import { anyStep } from './partner-model-steps.ts';
import { expectPartnerNumbers } from './partner-views.ts';
import { toDatabaseUrl } from './start-process.ts';

const SEED = process.env.SEED === undefined ? {} : { seed: Number(process.env.SEED) };
const RUNS = Number(process.env.RUNS ?? 40);
const MIN_RUNS = 4;
const MAX_MS = Number(process.env.MODEL_MS ?? 10_000);
const MAX_STEPS = 60;
const DAY_MS = 86_400_000;

const test = useTestApp();

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Checks the balance after every step and all views at the end. */
const expectBalances = async ({ model, sendRequest }: Fixture): Promise<void> => {
  for (const [at, { token }] of model.partners.entries()) {
    const { available, pending, withdrawn } = computePartnerNumbers(model, at);
    const total = ((available + pending + withdrawn) / 100).toFixed(2);
    const { body } = await sendRequest('GET', '/v2/partners/balance', token);
    expect(body).toEqual({ available: available / 100, pending: pending / 100, withdrawn: withdrawn / 100, total });
  }
};

const expectAll = async ({ model, sendRequest }: Fixture, since: number): Promise<void> => {
  await test.context.services.partners.clicks.flush();
  const days = `date_from=${dayOf(since - DAY_MS)}&date_to=${dayOf(test.clock.now().getTime() + DAY_MS)}`;
  for (const [at, { token }] of model.partners.entries()) {
    const read = async (path: string) => {
      const { status, body } = await sendRequest('GET', `/v2/partners${path}`, token);
      expect({ path, status, body }).toMatchObject({ path, status: 200 });
      return body;
    };
    await expectPartnerNumbers(read, days, computePartnerNumbers(model, at));
  }
};

const verifyLedger = async (): Promise<void> => {
  const printed: string[] = [];
  const note = (text: string): void => void printed.push(text);
  const env = { DATABASE_URL: toDatabaseUrl(test.connection) };
  const code = await runCommand(['ledger', 'verify'], { env, cwd: '/', print: note, reportProgress: note });
  expect({ code, printed }).toMatchObject({ code: 0 });
};

it(
  'no commission is paid twice or to the wrong partner and all views agree after any sequence of actions',
  async () => {
    const budget = createRunBudget({ minRuns: MIN_RUNS, maxMs: MAX_MS });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: MAX_STEPS, size: 'max' }), async (steps) => {
        if (budget.isSpent()) return;
        const since = test.clock.now().getTime();
        const fixture = await createFixture(test, `run-${++run}`);
        for (const step of steps) {
          if (budget.isSpent()) break;
          test.clock.advance(1000);
          await step(fixture);
          await expectBalances(fixture);
        }
        await expectAll(fixture, since);
        budget.complete();
      }),
      { ...SEED, numRuns: RUNS, endOnFailure: true },
    );
    expect(budget.completed()).toBeGreaterThanOrEqual(MIN_RUNS);
    await verifyLedger();
  },
  MAX_MS + 180_000,
);
