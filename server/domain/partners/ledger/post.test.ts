import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '#server/storage/tables/ledger.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildPartner } from '#server/testing/builders/factories.ts';
import { openPartnerScope, type PartnerScope } from '../../scope.ts';
import { readBalances } from './balances.ts';
import { post } from './post.ts';

const test = useTestApp();
let scope: PartnerScope;
beforeEach(async () => {
  const { id } = await buildPartner(test);
  scope = openPartnerScope(test.context.services, { kind: 'system' }, id);
});

const write = (externalId: string, entries: Partial<Record<Account, number>>) =>
  scope.transaction((tx) => post(tx, { kind: 'commission', externalId, occurredAt: tx.now(), entries }));

describe('a posting', () => {
  it('a posting moves money between accounts', async () => {
    expect(await write('payment 1', { commission: -980, available: 980 })).toBe(true);
    expect(await readBalances(scope)).toMatchObject({ commission: -980, available: 980, pending: 0 });
  });

  it('a posting is written once, also by concurrent requests', async () => {
    const twice = await Promise.all([1, 2].map(() => write('payment 1', { commission: -980, available: 980 })));
    expect(twice.sort()).toEqual([false, true]);
    expect((await readBalances(scope)).available).toBe(980);
  });

  it('the same external id in another ledger is another posting', async () => {
    await write('payment 1', { commission: -980, available: 980 });
    const { id } = await buildPartner(test);
    scope = openPartnerScope(test.context.services, { kind: 'system' }, id);
    expect(await write('payment 1', { commission: -1, available: 1 })).toBe(true);
    expect((await readBalances(scope)).available).toBe(1);
  });

  it('a posting of zero is not written', async () => {
    expect(await write('payment 1', { commission: 0, available: 0 })).toBe(false);
    expect(await scope.from('ledgerTransactions').select('id').execute()).toEqual([]);
  });
});

describe('the database', () => {
  it.each<[string, Partial<Record<Account, number>>]>([
    ['does not sum to zero', { commission: -980, available: 979 }],
    ['has one line', { available: 980 }],
  ])('the database rejects a transaction that %s', async (_, entries) => {
    await expect(write('payment 1', entries)).rejects.toMatchObject({ constraint: 'ledger_sums_to_zero' });
    expect((await readBalances(scope)).available).toBe(0);
  });

  it('the database rejects a transaction without entries', async () => {
    const bare = { kind: 'hold', externalId: 'x', occurredAt: scope.now(), recordedAt: scope.now() } as const;
    await expect(scope.insert('ledgerTransactions', bare).execute()).rejects.toMatchObject({
      constraint: 'ledger_sums_to_zero',
    });
  });

  it.each(['ledger_transactions', 'ledger_entries'])(
    'the database rejects changes and deletions in %s',
    async (table) => {
      await write('payment 1', { commission: -980, available: 980 });
      for (const statement of [
        'update ? set partner_id = partner_id where partner_id = 1',
        'delete from ? where partner_id = 1',
      ])
        await expect(sql.raw(statement.replace('?', table)).execute(scope.db)).rejects.toMatchObject({
          constraint: 'ledger_is_never_changed',
        });
    },
  );
});
