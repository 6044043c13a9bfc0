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
  createdAt: Date;
  /** The balance of each account at the end of the month. */
  closing: Cents;
}

/** All statements, oldest first. There are only twelve a year, so they are not paged. */
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
