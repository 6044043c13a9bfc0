/** A month by its first day, like a `date` column: `2026-03-01`. */
export type Month = string;

export const monthOf = (date: Date): Month => `${date.toISOString().slice(0, 7)}-01`;

export const startOfMonth = (month: Month): Date => new Date(`${month}T00:00:00.000Z`);

export const nextMonth = (month: Month): Month => monthOf(endOfMonth(month));

/** The start of the next month. */
export const endOfMonth = (month: Month): Date => {
  const start = startOfMonth(month);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
};
