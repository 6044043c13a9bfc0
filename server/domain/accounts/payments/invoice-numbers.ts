import type { BaseScope } from '../../scope.ts';

/** Counts up within a series, without gaps: the counter goes on only with the transaction that the number is for. */
export const nextInvoiceNumber = async ({ db }: Pick<BaseScope, 'db'>, series: string): Promise<number> => {
  const { lastNumber } = await db
    .insertInto('invoiceMonths')
    .values({ month: series, lastNumber: 1 })
    .onConflict((conflict) =>
      conflict.column('month').doUpdateSet((eb) => ({ lastNumber: eb('invoiceMonths.lastNumber', '+', 1) })),
    )
    .returning('lastNumber')
    .executeTakeFirstOrThrow();
  return lastNumber;
};
