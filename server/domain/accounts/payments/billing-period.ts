import type { BillingCycle } from '#server/storage/tables/ledger.ts';

const MONTHS: Record<BillingCycle, number> = { monthly: 1, annual: 12 };

/** Adds one cycle. A day that the target month does not have becomes its last day. */
export const addCycle = (date: Date, cycle: BillingCycle): Date => {
  const later = new Date(date);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + MONTHS[cycle]);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return later;
};
