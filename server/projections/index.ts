import type { ProjectionName } from '#server/domain/projection-queue.ts';
import { archiveSearch } from './archive-search.ts';
import { ledgerSums } from './ledger-sums.ts';
import { partnerPerformance } from './partner-performance.ts';
import type { Projection } from './projection.ts';
import { reportFacts } from './report-facts.ts';
import { ticketSearch } from './ticket-search.ts';

/**
 * All tables that are derived from others. Derived rows are recomputed only here, and never by database triggers. Each file
 * lists its sources, its keys and what enqueues them.
 */
export const projections: { readonly [N in ProjectionName]: Projection & { readonly name: N } } = {
  archive_search: archiveSearch,
  ledger_sums: ledgerSums,
  partner_performance: partnerPerformance,
  report_facts: reportFacts,
  ticket_search: ticketSearch,
};
