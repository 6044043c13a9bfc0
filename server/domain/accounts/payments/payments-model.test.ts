import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, buildPartner, type TestOrganization } from '#server/testing/builders/factories.ts';
import { partnerScope } from '#server/testing/builders/ledger.ts';
import { buildReferredPartner, refer } from '#server/testing/builders/referrals.ts';
import { DomainError } from '../../errors.ts';
import { updatePartner } from '../../partners/accounts/manage-partners.ts';
import { readBalances } from '../../partners/ledger/balances.ts';
import { openPlatformScope, type PlatformScope } from '../../scope.ts';
import { updateOrganization } from '../licenses/update-organization.ts';
import { recordPayment } from './record-payment.ts';
import { recordRefund } from './refunds.ts';

/** Every round uses new payment ids; licenses, partners and the model continue from round to round. */
const ROUNDS = 30;
const LICENSES = 3;

const test = useTestApp();
let scope: PlatformScope;
/** The first two were referred by `partner`, the third by the referrer of that partner. */
let licenses: TestOrganization[];
let partner: { id: number };
let referrer: { id: number };

beforeAll(async () => {
  scope = openPlatformScope(test.context.services, { kind: 'operator' });
  referrer = await buildPartner(test);
  partner = await buildReferredPartner(test, referrer);
  licenses = await Promise.all(Array.from({ length: LICENSES }, () => buildOrganization(test, { online: false })));
  for (const [index, license] of licenses.entries()) await refer(test, index < 2 ? partner : referrer, license);
});

/** The expected state, computed by hand. */
interface PaymentModel {
  license: number;
  amount: number;
  /** Percent by partner at the time of the payment. */
  earns: Map<number, number>;
}
const payments = new Map<string, PaymentModel>();
/** Accepted refunds, whether or not their payment is known. */
const refunds = new Map<string, { payment: string; amount: number }>();
const blocked = new Set<number>();

const halfUp = (amount: number, part: number, whole: number): number =>
  Math.floor((2 * amount * part + whole) / (2 * whole));

const earnersOf = (license: number): Map<number, number> => {
  const all: [number, number][] =
    license < 2
      ? [
          [partner.id, 20],
          [referrer.id, 5],
        ]
      : [[referrer.id, 20]];
  return new Map(all.filter(([id]) => !blocked.has(id)));
};

const anyCommand = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), payment: fc.nat(4) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      payment: fc.nat(4),
      refund: fc.nat(3),
      tenths: fc.integer({ min: 1, max: 7 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('license' as const), license: fc.nat(LICENSES - 1), blocked: fc.boolean() }),
  },
);
type Command = typeof anyCommand extends fc.Arbitrary<infer C> ? C : never;

/** Concurrent operations; before them, a partner may be blocked or unblocked. */
const anyStep = fc.record({
  commands: fc.array(anyCommand, { minLength: 1, maxLength: 4 }),
  partner: fc.constantFrom(undefined, undefined, undefined, 'blocked', 'free'),
  who: fc.boolean(),
});

/** Odd amounts, so that rounding matters. */
const amountOf = (payment: number): number => [1, 333, 4900, 7777, 100_001][payment]!;

const refusedAs = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};

const pay = async (round: number, payment: number): Promise<void> => {
  const externalId = `${round}-${payment}`;
  const license = payment % LICENSES;
  const amount = amountOf(payment);
  const model = payments.get(externalId) ?? { license, amount, earns: earnersOf(license) };
  payments.set(externalId, model);
  await scope.transaction((tx) =>
    recordPayment(tx, {
      ...{ organizationId: licenses[license]!.id, externalId, source: 'operator', product: 'mainchat' },
      ...{ amountCents: amount, currency: 'USD' },
    }),
  );
};

const refund = async (round: number, command: Command & { do: 'refund' }): Promise<void> => {
  const paymentExternalId = `${round}-${command.payment}`;
  const externalId = `${paymentExternalId}-${command.refund}`;
  const amountCents = Math.max(1, Math.floor((amountOf(command.payment) * command.tenths) / 10));
  const refused = await refusedAs(
    scope.transaction((tx) => recordRefund(tx, { externalId, paymentExternalId, amountCents })),
  );
  if (!refused) refunds.set(externalId, { payment: paymentExternalId, amount: amountCents });
  // Another amount with the same id, or more than is left.
  else expect(['conflict', 'validation']).toContain(refused);
};

const run = async (round: number, command: Command): Promise<void> => {
  if (command.do === 'pay') return pay(round, command.payment);
  if (command.do === 'refund') return refund(round, command);
  const { id } = licenses[command.license]!;
  await updateOrganization(scope, { id, status: command.blocked ? 'blocked' : 'active' });
};

const statuses = async (): Promise<string[]> => {
  const rows = await scope.db.selectFrom('organizations').select(['id', 'status']).execute();
  return licenses.map(({ id }) => rows.find((row) => row.id === id)!.status);
};

const applied = async (): Promise<Map<string, number>> => {
  const rows = await scope.db.selectFrom('refunds').selectAll().execute();
  expect(
    new Map(rows.map((row) => [row.externalId, { payment: row.paymentExternalId, amount: row.amountCents }])),
  ).toEqual(refunds);
  const sums = new Map<string, number>();
  for (const row of rows.filter(({ appliedAt }) => appliedAt))
    sums.set(row.paymentExternalId, (sums.get(row.paymentExternalId) ?? 0) + row.amountCents);
  for (const { paymentExternalId, amountCents, appliedAt } of rows) {
    const existing = payments.get(paymentExternalId);
    const sum = sums.get(paymentExternalId) ?? 0;
    // Refunds that fit are applied, and no others.
    expect(appliedAt !== null).toBe(appliedAt !== null && existing !== undefined && sum <= existing.amount);
    if (existing && !appliedAt) expect(sum + amountCents).toBeGreaterThan(existing.amount);
  }
  return sums;
};

const expected = async (id: number) => {
  const [now, sums] = await Promise.all([statuses(), applied()]);
  let [available, held] = [0, 0];
  for (const [name, { license, amount, earns }] of payments) {
    const cents = halfUp(amount, earns.get(id) ?? 0, 100);
    const net = cents - halfUp(cents, sums.get(name) ?? 0, amount);
    if (now[license] === 'blocked') held += net;
    else available += net;
  }
  return { available, held, commission: 0 - available - held };
};

const readBook = async (id: number) => {
  const rows = partnerScope(test, id);
  const entries = await rows
    .from('ledgerEntries')
    .groupBy('account')
    .select(['account', sql<number>`sum(amount_cents)::bigint`.as('cents')])
    .execute();
  const commissions = await rows
    .from('ledgerTransactions')
    .where('kind', '=', 'commission')
    .select('paymentExternalId')
    .execute();
  return { entries: new Map(entries.map(({ account, cents }) => [account, cents])), commissions };
};

const check = async (id: number): Promise<void> => {
  const wanted = await expected(id);
  const { entries, commissions } = await readBook(id);
  expect(await readBalances(partnerScope(test, id))).toMatchObject(wanted);
  for (const [account, cents] of Object.entries(wanted)) expect(entries.get(account as never) ?? 0).toBe(cents);
  expect([...entries.values()].reduce((sum, cents) => sum + cents, 0)).toBe(0);
  const names = commissions.map(({ paymentExternalId }) => paymentExternalId!);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(payments.get(name)?.earns.has(id)).toBe(true);
};

it('ledgers show the commission of unrefunded payments in any order of events, held while licenses are blocked', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 8 }), async (steps) => {
      round++;
      for (const { commands, partner: state, who } of steps) {
        const { id } = who ? partner : referrer;
        if (state) {
          await updatePartner(scope, { id, blocked: state === 'blocked' });
          if (state === 'blocked') blocked.add(id);
          else blocked.delete(id);
        }
        test.clock.advance(1000);
        await Promise.all(commands.map((command) => run(round, command)));
      }
      await check(partner.id);
      await check(referrer.id);
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  );
});
