import * as commissions from '#contracts/partner/commissions.ts';
import * as statements from '#contracts/partner/statements.ts';
import { type CommissionRecord, listCommissions } from '#server/domain/partners/commissions/commissions.ts';
import {
  getStatement,
  listStatements,
  type StatementSummary,
} from '#server/domain/partners/statements/read-statements.ts';
import { writeStatementFile } from '#server/domain/partners/statements/statement-file.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { readDateRange } from './date-range.ts';
import { maskEmail } from './mask-email.ts';
import { toPartnerTimestamp } from './present.ts';
import { toAmount } from './present-account.ts';

const presentChain = (commission: CommissionRecord): commissions.Commission['chain'] => ({
  ...(commission.clickedAt ? { clicked_at: toPartnerTimestamp(commission.clickedAt) } : {}),
  ...(commission.trialAt ? { trial_at: toPartnerTimestamp(commission.trialAt) } : {}),
  ...(commission.qualifiedAt ? { qualified_at: toPartnerTimestamp(commission.qualifiedAt) } : {}),
  paid_at: toPartnerTimestamp(commission.paidAt),
  reversals: commission.reversals.map(({ at, cents, kind }) => ({
    reversed_at: toPartnerTimestamp(at),
    amount: toAmount(cents),
    kind,
  })),
});

const presentCommission = (commission: CommissionRecord): commissions.Commission => ({
  id: commission.id,
  amount: toAmount(commission.cents),
  net_amount: toAmount(commission.reversals.reduce((rest, { cents }) => rest - cents, commission.cents)),
  percent: commission.percent,
  rule: commission.rule ?? '',
  held: commission.held,
  program: commission.program,
  product: commission.product,
  license_product: commission.licenseProduct,
  campaign_name: commission.campaignName,
  client_email: commission.clientEmail === '' ? '' : maskEmail(commission.clientEmail),
  chain: presentChain(commission),
});

const presentSummary = ({
  month,
  previousHash,
  hash,
  createdAt,
  closing,
}: StatementSummary): statements.StatementSummary => ({
  month: month.slice(0, 7),
  previous_hash: previousHash.toString('hex'),
  hash: hash.toString('hex'),
  creation_timestamp: toPartnerTimestamp(createdAt),
  available: toAmount(closing.available),
  held: toAmount(closing.held),
  pending: toAmount(closing.pending),
  withdrawn: toAmount(closing.withdrawn),
});

const partnerRoute = route<PartnerScope>();
const DEFAULT_LIMIT = 25;

/** Statements, which partners can verify themselves. */
export const ledgerRoutes: Route<PartnerScope>[] = [
  partnerRoute(commissions.listCommissions, async ({ query, scope }) => {
    const page = await listCommissions(scope, {
      ...readDateRange(query),
      limit: query.limit ?? DEFAULT_LIMIT,
      cursor: query.next_cursor || query.cursor || undefined,
    });
    return { results: page.commissions.map(presentCommission), next_cursor: page.nextCursor };
  }),
  partnerRoute(statements.listStatements, async ({ scope }) => ({
    result: (await listStatements(scope)).map(presentSummary),
  })),
  partnerRoute(statements.getStatement, async ({ params, scope, reply }) => {
    const file = writeStatementFile(await getStatement(scope, `${params.month}-01`));
    reply.type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff').send(file);
  }),
];
