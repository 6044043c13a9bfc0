import type { OwnedRows } from '#server/storage/scope.ts';
import type { StatementLine } from './statement-text.ts';

/** The rows of a partner, from its scope or from a snapshot that a command reads. */
export type LedgerRows = Pick<OwnedRows<'partnerId'>, 'from'>;

/** Postings recorded in the span, in ledger order. They do not name customers or payments. */
export const readLines = async (
  ledger: LedgerRows,
  { from, until }: { from: Date; until: Date },
): Promise<StatementLine[]> => {
  const rows = await ledger
    .from('ledgerTransactions')
    .leftJoin('ledgerEntries', (join) =>
      join
        .onRef('ledgerEntries.partnerId', '=', 'ledgerTransactions.partnerId')
        .onRef('ledgerEntries.transactionId', '=', 'ledgerTransactions.id'),
    )
    .where('recordedAt', '>=', from)
    .where('recordedAt', '<', until)
    .orderBy('ledgerTransactions.id')
    .select(['id', 'recordedAt', 'kind', 'occurredAt', 'program', 'product', 'percent', 'withdrawalId'])
    .select(['account', 'amountCents'])
    .execute();
  const lines = new Map<number, StatementLine>();
  for (const { id, recordedAt, kind, occurredAt, account, amountCents, ...row } of rows) {
    const line = lines.get(id) ?? {
      ...{ id, recordedAt, kind, entries: {} },
      about: {
        occurred: occurredAt.toISOString(),
        ...(row.program === '' ? {} : { program: row.program }),
        ...(row.product === '' ? {} : { product: row.product }),
        ...(row.percent === null ? {} : { percent: row.percent }),
        ...(row.withdrawalId === null ? {} : { withdrawal: String(row.withdrawalId) }),
      },
    };
    if (account !== null) line.entries[account] = (line.entries[account] ?? 0) + amountCents!;
    lines.set(id, line);
  }
  return [...lines.values()];
};
