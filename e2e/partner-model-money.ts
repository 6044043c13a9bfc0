import { expect } from 'vitest';
import { callOperator, expectStatus, type Fixture, pick, realLicenses } from './partner-model-fixture.ts';
import { applyWaiting, computePartnerNumbers, earnersOf, fits } from './partner-model-state.ts';

/** Amounts of the payments, odd so that rounding matters. */
export const AMOUNTS = [1, 333, 4900, 77_777, 40_000, 100_001];

/** The number of a payment decides its license and amount, so that repeats are equal. */
export const pay = async (fixture: Fixture, number: number, concurrency: number): Promise<void> => {
  const { model, name } = fixture;
  const external_id = `${name}-${number}`;
  const license = model.payments.get(external_id)?.license ?? pick(realLicenses(fixture), number);
  if (license === undefined) return;
  const body = { external_id, product: 'mainchat', amount_cents: AMOUNTS[number]!, currency: 'USD' };
  const path = `/organizations/${model.licenses[license]!.id}/payments`;
  const responses = await Promise.all(
    Array.from({ length: concurrency }, () => callOperator(fixture, 'POST', path, body)),
  );
  const isNew = !model.payments.has(external_id);
  expect(responses.map(({ status }) => status).toSorted()).toEqual(
    responses.map((_, at) => (isNew && at === concurrency - 1 ? 201 : 200)),
  );
  if (!isNew) return;
  const earned = earnersOf(model, license, body.amount_cents);
  model.payments.set(external_id, { license, amount: body.amount_cents, earned });
  if (model.licenses[license]!.status !== 'blocked') model.licenses[license]!.status = 'active';
  applyWaiting(model, external_id);
};

export const refund = async (
  fixture: Fixture,
  number: number,
  which: number,
  tenths: number,
  concurrency: number,
): Promise<void> => {
  const { model, name } = fixture;
  const payment = `${name}-${number}`;
  const external_id = `${payment}-${which}`;
  const amount_cents = Math.max(1, Math.floor((AMOUNTS[number]! * tenths) / 10));
  const kind = which % 2 === 0 ? 'refund' : 'chargeback';
  const before = model.refunds.get(external_id);
  const responses = await Promise.all(
    Array.from({ length: concurrency }, () =>
      callOperator(fixture, 'POST', `/payments/${payment}/refunds`, { external_id, amount_cents, kind }),
    ),
  );
  const statuses = responses.map(({ status }) => status).toSorted();
  const all = (status: number): number[] => responses.map(() => status);
  if (before) return expect(statuses).toEqual(all(before.amount === amount_cents ? 200 : 409));
  const isKnown = model.payments.has(payment);
  if (isKnown && !fits(model, payment, amount_cents)) return expect(statuses).toEqual(all(400));
  expect(statuses).toEqual([...all(200).slice(1), isKnown ? 201 : 202]);
  model.refunds.set(external_id, { payment, amount: amount_cents, applied: isKnown });
};

/** Concurrent reports of a payment and its refunds in any order give the same result. */
export const payAndRefund = async (fixture: Fixture, number: number, which: number): Promise<void> => {
  const { model, name } = fixture;
  if (
    model.payments.has(`${name}-${number}`) ||
    [...model.refunds.values()].some(({ payment }) => payment === `${name}-${number}`)
  )
    return;
  const license = pick(realLicenses(fixture), number);
  if (license === undefined) return;
  const [external_id, amount_cents] = [`${name}-${number}`, AMOUNTS[number]!];
  const path = `/organizations/${model.licenses[license]!.id}/payments`;
  const notice = {
    external_id: `${external_id}-${which}`,
    amount_cents,
    kind: which % 2 === 0 ? 'refund' : 'chargeback',
  };
  const [paid, refunded] = await Promise.all([
    callOperator(fixture, 'POST', path, { external_id, product: 'mainchat', amount_cents, currency: 'USD' }),
    callOperator(fixture, 'POST', `/payments/${external_id}/refunds`, notice),
    callOperator(fixture, 'PATCH', `/organizations/${model.licenses[license]!.id}`, { status: 'blocked' }),
  ]);
  expectStatus('payment', paid, 201);
  expectStatus('refund', refunded, 201, 202);
  model.payments.set(external_id, { license, amount: amount_cents, earned: earnersOf(model, license, amount_cents) });
  model.refunds.set(notice.external_id, { payment: external_id, amount: amount_cents, applied: true });
  model.licenses[license]!.status = 'blocked';
};

const MIN_WITHDRAWAL = 5000;

export const withdraw = async (
  { model, sendRequest }: Fixture,
  partner: number,
  concurrency: number,
): Promise<void> => {
  const { token, blocked } = model.partners[partner]!;
  const { available } = computePartnerNumbers(model, partner);
  const responses = await Promise.all(
    Array.from({ length: concurrency }, () => sendRequest('POST', '/v2/partners/withdrawals', token)),
  );
  const made = responses.filter(({ status }) => status === 201);
  const isEnough = !blocked && available >= MIN_WITHDRAWAL;
  expect(responses.map(({ status }) => status).toSorted()).toEqual(
    responses.map((_, at) => (isEnough && at === 0 ? 201 : 403)),
  );
  if (!isEnough) return;
  const { withdrawal_id: id, amount } = made[0]!.body;
  expect(amount).toBe(available / 100);
  model.withdrawals.push({ id, partner, amount: available, status: 'pending' });
};

/** Possibly both concurrently; then one of them wins. */
export const decide = async (fixture: Fixture, which: number, decisions: ('pay' | 'reject')[]): Promise<void> => {
  const withdrawal = pick(fixture.model.withdrawals, which);
  if (!withdrawal) return;
  const responses = await Promise.all(
    decisions.map((one) => callOperator(fixture, 'POST', `/withdrawals/${withdrawal.id}/${one}`, { reason: 'Wrong' })),
  );
  const won = responses.filter(({ status }) => status === 200);
  for (const response of responses) expectStatus('decision', response, 200, 409);
  expect(won).toHaveLength(withdrawal.status === 'pending' ? 1 : 0);
  if (won[0]) withdrawal.status = won[0].body.status;
};
