import { requirePartner } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';
import type { Month } from '../ledger/months.ts';
import type { SealedStatement } from './statement-file.ts';
import { type Cents, readStatement } from './statement-text.ts';

export interface StatementSummary {
  month: Month;
  previousHash: Buffer;
  hash: Buffer;
  madeAt: Date;
  /** What stood on each account at its end. */
  closing: Cents;
}

/** All, the oldest first: a book has twelve a year. */
export const listStatements = async (scope: PartnerScope): Promise<StatementSummary[]> => {
  requirePartner(scope.actor);
  const rows = await scope.from('statements').orderBy('month').selectAll().execute();
  return rows.map(({ content, partnerId: _, ...row }) => ({ ...row, closing: readStatement(content).closing }));
};

export const getStatement = async (scope: PartnerScope, month: Month): Promise<SealedStatement> => {
  requirePartner(scope.actor);
  const found = await scope
    .from('statements')
    .where('month', '=', month)
    .select(['content', 'previousHash', 'hash'])
    .executeTakeFirst();
  if (!found) throw notFound('Statement');
  return found;
};
