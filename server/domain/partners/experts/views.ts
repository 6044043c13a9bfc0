import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';
import { getExpert } from './profile.ts';

const HOUR_MS = 3600 * 1000;
const MONTHS_SHOWN = 12;

/** The first day of the month in UTC, for example `2026-11-01`. */
const monthOf = (date: Date): string => `${date.toISOString().slice(0, 7)}-01`;

const monthsBefore = (date: Date, months: number): Date =>
  new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));

/** The first of the listed months. */
export const firstMonth = (now: Date): string => monthOf(monthsBefore(now, MONTHS_SHOWN - 1));

/** A viewer is counted again once the last counted view is this old. */
export const viewersCountedBefore = (now: Date): Date => new Date(now.getTime() - HOUR_MS);

/** Counts a viewer once per hour. */
export const countView = (scope: PartnerScope, fingerprint: Buffer): Promise<void> =>
  scope.transaction(async (tx) => {
    const viewedAt = tx.now();
    const { rows } = await tx.executor.query({
      text: `insert into expert_viewers as v (partner_id, fingerprint, viewed_at) values ($1, $2, $3)
        on conflict (partner_id, fingerprint) do update set viewed_at = excluded.viewed_at where v.viewed_at <= $4
        returning 1`,
      values: [tx.partnerId, fingerprint, viewedAt, viewersCountedBefore(viewedAt)],
    });
    if (rows.length === 0) return;
    await tx
      .insert('expertMonths', { month: monthOf(viewedAt), views: 1 })
      .onConflict((conflict) =>
        conflict.columns(['partnerId', 'month']).doUpdateSet((eb) => ({ views: eb('expertMonths.views', '+', 1) })),
      )
      .execute();
  });

export interface MonthOfViews {
  /** For example `2026-11`. */
  month: string;
  views: number;
}

/** The last twelve months, oldest first, including months without views. */
export const listViews = async (scope: PartnerScope): Promise<MonthOfViews[]> => {
  requirePartner(scope.actor);
  await getExpert(scope);
  const now = scope.now();
  const rows = await scope
    .from('expertMonths')
    .where('month', '>=', firstMonth(now))
    .select(['month', 'views'])
    .execute();
  const views = new Map(rows.map((row) => [row.month, row.views]));
  return Array.from({ length: MONTHS_SHOWN }, (_, at) => {
    const month = monthOf(monthsBefore(now, MONTHS_SHOWN - 1 - at));
    return { month: month.slice(0, 7), views: views.get(month) ?? 0 };
  });
};
