import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';

export interface ResellerMonth {
  /** For example `2026-11`. */
  month: string;
  trials: number;
  /** Licenses with their first payment in the month. */
  paid: number;
}

const MONTHS_SHOWN = 12;

/** The last twelve months, oldest first, including months without changes. */
export const listResellerHistory = async (scope: PartnerScope): Promise<ResellerMonth[]> => {
  requirePartner(scope.actor);
  const now = scope.now();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS_SHOWN - 1), 1));
  const { rows } = await scope.executor.query<ResellerMonth>({
    text: `select to_char(m.month, 'YYYY-MM') as month,
        count(*) filter (where r.created_at >= m.month and r.created_at < m.month + interval '1 month') as trials,
        count(*) filter (where r.converted_at >= m.month and r.converted_at < m.month + interval '1 month') as paid
      from (select generate_series($2::timestamptz at time zone 'UTC', $3::timestamptz at time zone 'UTC', '1 month') at time zone 'UTC' as month) m
      left join referred_licenses r on r.partner_id = $1 and r.program = 'solution'
      group by m.month order by m.month`,
    values: [scope.partnerId, first, now],
  });
  return rows;
};
