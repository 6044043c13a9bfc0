import type { Migration } from '../migrate.ts';

/** Whole days are summed up; what a range has of its first and last day is read from what happened in them. */
export const programmeTimes: Migration = {
  id: '0021',
  name: 'programme-times',
  up: `
create index clicks_by_time on clicks (partner_id, clicked_at);
create index ledger_transactions_by_time on ledger_transactions (partner_id, occurred_at);
`,
};
