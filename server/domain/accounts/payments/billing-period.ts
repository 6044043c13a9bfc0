import type { BillingCycle } from '#server/storage/tables/ledger.ts';

const MONTHS: Record<BillingCycle, number> = { monthly: 1, annual: 12 };

/** One cycle later; a day that the month does not have is its last. */
export const addCycle = (date: Date, cycle: BillingCycle): Date => {
  const later = new Date(date);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + MONTHS[cycle]);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return later;
};
