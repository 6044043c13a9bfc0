import { monthOf, startOfMonth } from '#server/domain/partners/ledger/months.ts';
import { closeMonths } from '#server/domain/partners/statements/close-months.ts';
import { openPartnerScope, type Services } from '#server/domain/scope.ts';
import type { Executor } from '#server/storage/executor.ts';
import { findLedgersToClose } from '#server/storage/platform-money.ts';

const DAY_MS = 24 * 3600 * 1000;

/** Creates the statements of past months. A partner whose months cannot be closed does not delay the others. */
export const closeStatements = (database: Executor, services: Services) => async (): Promise<void> => {
  const end = startOfMonth(monthOf(services.clock.now()));
  const month = monthOf(new Date(end.getTime() - DAY_MS));
  const failures: unknown[] = [];
  let found = await findLedgersToClose(database, { month, end, after: 0 });
  while (found.length > 0) {
    for (const id of found)
      await closeMonths(openPartnerScope(services, { kind: 'system' }, id)).catch((error) => failures.push(error));
    found = await findLedgersToClose(database, { month, end, after: found.at(-1)! });
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `Closing the statements of ${failures.length} partners failed`);
};
