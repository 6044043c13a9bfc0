import type { BaseScope } from '../../scope.ts';

/** The next number of a series, without gaps: the counter is rolled back with the transaction. */
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
