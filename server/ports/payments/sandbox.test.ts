import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { TokenRejectedError, UnavailableError } from './payments.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';

const test = useTestApp();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = createSandbox(test.context.database, () => test.clock.now());
});

const card = { number: '4111 1111 1111 1111', month: '12', year: '2030', verificationValue: '123' };

const tokenOf = async (number = card.number): Promise<string> => {
  const answer = await sandbox.createToken({ ...card, number });
  if ('error' in answer) throw new Error(answer.error);
  return answer.id;
};

let keys = 0;
const charge = (accountId: string, idempotencyKey = `key-${process.pid}-${keys++}`) =>
  sandbox.charge({ accountId, amountCents: 100, currency: 'USD', idempotencyKey, description: 'x' });

describe('a card', () => {
  it.each([
    [{ number: '4111111111111112' }, 'number'],
    [{ number: 'abc' }, 'number'],
    [{ month: '13' }, 'month'],
    [{ month: '1' }, 'month'],
    [{ year: '30' }, 'year'],
    [{ year: '2026', month: '02' }, 'expired'],
    [{ verificationValue: '12' }, 'verification_value'],
  ])('is rejected with %j', async (change, error) =>
    expect(await sandbox.createToken({ ...card, ...change })).toEqual({ error: expect.stringContaining(error) }),
  );

  it('may expire this month', async () =>
    expect(await sandbox.createToken({ ...card, year: '2026', month: '03' })).toHaveProperty('id'));

  it('becomes an account once and is shown by its last digits', async () => {
    const token = await tokenOf('5555555555554444');
    const answers = await Promise.allSettled([sandbox.openAccount(token), sandbox.openAccount(token)]);
    expect(answers.filter(({ status }) => status === 'fulfilled')).toMatchObject([
      { value: { card: 'Mastercard ending in 4444' } },
    ]);
    await expect(sandbox.openAccount('tok_none')).rejects.toThrow(TokenRejectedError);
    const { rows } = await test.context.database.query<{ text: string }>({
      text: 'select to_jsonb(c)::text as text from sandbox_cards c where token = $1',
      values: [token],
    });
    expect(rows[0]!.text).not.toContain('555555555555');
  });
});

describe('a charge', () => {
  it.each([
    ['4000000000000002', 'declined'],
    ['4000000000009995', 'insufficient funds'],
    ['4000000000000069', 'expired'],
    ['4000000000009979', 'stolen'],
  ])('of %s fails: %s', async (number, reason) => {
    const { accountId } = await sandbox.openAccount(await tokenOf(number));
    expect(await charge(accountId)).toEqual({ status: 'declined', reason: expect.stringContaining(reason) });
  });

  it('is made once per key, even if the response was lost', async () => {
    const { accountId } = await sandbox.openAccount(await tokenOf('4000000000000119'));
    await expect(charge(accountId, 'late')).rejects.toThrow(UnavailableError);
    expect(await charge(accountId, 'late')).toEqual({ status: 'succeeded' });
    const { rows } = await test.context.database.query<{ n: number }>({
      text: 'select count(*) as n from sandbox_charges where account_id = $1',
      values: [accountId],
    });
    expect(rows[0]!.n).toBe(1);
  });

  it('is found by its key without charging', async () => {
    const { accountId } = await sandbox.openAccount(await tokenOf('4000000000000119'));
    expect(await sandbox.findCharge({ accountId, idempotencyKey: 'sought' })).toBeUndefined();
    await expect(charge(accountId, 'sought')).rejects.toThrow(UnavailableError);
    expect(await sandbox.findCharge({ accountId, idempotencyKey: 'sought' })).toEqual({ status: 'succeeded' });
  });

  it('uses the newest card', async () => {
    const { accountId } = await sandbox.openAccount(await tokenOf('4000000000000002'));
    expect((await charge(accountId)).status).toBe('declined');
    expect(await sandbox.changeCard(accountId, await tokenOf())).toEqual({ accountId, card: 'Visa ending in 1111' });
    expect((await charge(accountId)).status).toBe('succeeded');
  });
});
