import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type Json, NUMBER, PASSWORD, TEXT, TIME } from '../partner/index.ts';
import {
  AT,
  CARDS,
  createCardToken,
  createSubscribedLicense,
  newClient,
  partner,
  read,
  terms,
} from './reseller-fixture.ts';
import { kit } from './target.ts';

let seatCents: Record<string, number>;

beforeAll(async () => {
  const { prices } = await kit.operator.ok(200, 'GET', '/prices');
  seatCents = Object.fromEntries(prices.map((one: Json) => [`${one.plan} ${one.billing_cycle}`, one.seat_cents]));
});

describe('subscriptions', () => {
  it('(none) → exists: POST …/subscription charges the discounted price immediately and creates an invoice', async () => {
    const { license } = await newClient();
    const path = `${AT}/${license}/subscription`;
    await partner.ok(201, 'POST', path, { token: await createCardToken(), ...terms });
    const gross = 2 * seatCents['team monthly']!;
    const off = Math.round(gross * 0.2);
    expect(await read(license)).toMatchObject({
      ...{ paid: true, cc_added: true, seats: 2, plan: 'team', billing_cycle: 'monthly', end_timestamp: TIME },
      ...{ total_discount: off / 100, recurly: { subscriber: true, in_trial: false, recurrent: true } },
    });
    const { result } = await partner.ok(200, 'GET', `${AT}/${license}/invoices`);
    expect(result).toEqual([
      {
        invoice_no: NUMBER,
        date: expect.any(String),
        plan: 'team',
        billing_cycle: 'monthly',
        status: TEXT,
        seats: 2,
        amount: (gross - off) / 100,
      },
    ]);
    expectError(await partner.sendRequest('POST', path, { token: await createCardToken(), ...terms }), 409);
    expect((await partner.ok(200, 'GET', `${AT}/${license}/invoices`)).result).toEqual(result);
  });

  it('of concurrent POST …/subscription requests exactly one succeeds', async () => {
    const { license } = await newClient();
    const tokens = await Promise.all([createCardToken(), createCardToken(), createCardToken()]);
    const responses = await Promise.all(
      tokens.map((token) => partner.sendRequest('POST', `${AT}/${license}/subscription`, { token, ...terms })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect((await partner.ok(200, 'GET', `${AT}/${license}/invoices`)).result).toHaveLength(1);
  });

  it.each(['declined', 'underfunded', 'expired', 'stolen'] as const)(
    'POST …/subscription with a card that is %s returns 400 and charges nothing',
    async (card) => {
      const { license } = await newClient();
      expectError(
        await partner.sendRequest('POST', `${AT}/${license}/subscription`, {
          token: await createCardToken(CARDS[card]),
          ...terms,
        }),
        400,
        'token',
      );
      expect(await read(license)).toMatchObject({ paid: false, recurly: { subscriber: false } });
      expect((await partner.ok(200, 'GET', `${AT}/${license}/invoices`)).result).toEqual([]);
      await partner.ok(201, 'POST', `${AT}/${license}/subscription`, { token: await createCardToken(), ...terms });
    },
  );

  it('POST …/subscription requires and validates token, plan, billing_cycle and seats', async () => {
    const { license } = await newClient();
    const good = { token: await createCardToken(), ...terms };
    for (const [name, ...wrong] of [
      ['token', undefined, 'no-such-token', ''],
      ['plan', undefined, 'enterprise', 'free'],
      ['billing_cycle', undefined, 'weekly'],
      ['seats', undefined, 0, -1, 1.5, 'many', 1e9],
    ] as const)
      for (const value of wrong)
        expectError(
          await partner.sendRequest('POST', `${AT}/${license}/subscription`, { ...good, [name]: value }),
          400,
          name,
        );
    const form = new URLSearchParams({ ...good, seats: '2' });
    await partner.ok(201, 'POST', `${AT}/${license}/subscription`, form);
  });

  it('PUT …/subscription charges an upgrade immediately, credits a downgrade and returns 409 without a subscription', async () => {
    const { license } = await newClient();
    expectError(await partner.sendRequest('PUT', `${AT}/${license}/subscription`, terms), 409);
    await partner.ok(201, 'POST', `${AT}/${license}/subscription`, { token: await createCardToken(), ...terms });
    const invoices = async (): Promise<Json[]> => (await partner.ok(200, 'GET', `${AT}/${license}/invoices`)).result;
    await partner.ok(200, 'PUT', `${AT}/${license}/subscription`, { ...terms, plan: 'business', seats: 5 });
    expect(await read(license)).toMatchObject({ plan: 'business', seats: 5, billing_cycle: 'monthly', paid: true });
    const after = await invoices();
    expect(after).toHaveLength(2);
    for (const { amount } of after) expect(amount).toBeGreaterThan(0);
    await partner.ok(200, 'PUT', `${AT}/${license}/subscription`, { ...terms, plan: 'starter', seats: 1 });
    expect(await read(license)).toMatchObject({ plan: 'starter', seats: 1 });
    const paid = (all: Json[]): number => all.reduce((sum, { amount }) => sum + amount, 0);
    expect(paid(await invoices())).toBe(paid(after));
    await partner.ok(200, 'PUT', `${AT}/${license}/subscription`, { ...terms, billing_cycle: 'annual' });
    expect(await read(license)).toMatchObject({ billing_cycle: 'annual' });
    for (const [name, value] of [
      ['plan', 'free'],
      ['billing_cycle', 'weekly'],
      ['seats', 0],
      ['plan', undefined],
      ['seats', undefined],
    ] as const)
      expectError(
        await partner.sendRequest('PUT', `${AT}/${license}/subscription`, { ...terms, [name]: value }),
        400,
        name,
      );
  });

  it('PUT …/billing replaces the card', async () => {
    const license = await createSubscribedLicense();
    await partner.ok(200, 'PUT', `${AT}/${license}/billing`, { token: await createCardToken(CARDS.another) });
    for (const token of [undefined, '', 'no-such-token'])
      expectError(await partner.sendRequest('PUT', `${AT}/${license}/billing`, { token }), 400, 'token');
    expect(await read(license)).toMatchObject({ paid: true, recurly: { recurrent: true } });
  });

  it('exists → closed: DELETE …/subscription requires the password, and the license ends with its billing cycle', async () => {
    const license = await createSubscribedLicense();
    const path = `${AT}/${license}/subscription`;
    expectError(await partner.sendRequest('DELETE', path, { password: 'wrong' }), 403);
    expectError(await partner.sendRequest('DELETE', path, {}), 400, 'password');
    expectError(await partner.sendRequest('DELETE', path, { password: PASSWORD, expire: 'perhaps' }), 400, 'expire');
    expect(await read(license)).toMatchObject({ recurly: { recurrent: true } });
    const before = await read(license);
    await partner.ok(200, 'DELETE', path, { password: PASSWORD });
    expect(await read(license)).toMatchObject({
      paid: true,
      expired: false,
      end_timestamp: before.end_timestamp,
      recurly: { recurrent: false },
    });
    await partner.ok(201, 'POST', path, { token: await createCardToken(), ...terms });
  });

  it('exists → closed: DELETE …/subscription with expire ends the license immediately', async () => {
    const license = await createSubscribedLicense();
    const path = `${AT}/${license}/subscription`;
    await partner.ok(200, 'DELETE', path, new URLSearchParams({ password: PASSWORD, expire: 'true' }));
    expect(await read(license)).toMatchObject({ expired: true, recurly: { subscriber: false, recurrent: false } });
    await partner.ok(201, 'POST', path, { token: await createCardToken(), ...terms });
    expect(await read(license)).toMatchObject({ expired: false, paid: true });
  });
});
