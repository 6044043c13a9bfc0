import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '#server/storage/tables/ledger.ts';
import type { Product } from '#server/storage/tables/products.ts';
import type { Program } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import { type Cursor, decodePageId, encodePageId } from '../../paging.ts';
import type { PartnerScope } from '../../scope.ts';
import { type DateRange, type Span, spanOf } from '../affiliates/range.ts';

export interface ReversalRecord {
  at: Date;
  cents: number;
  kind: 'refund' | 'chargeback';
}

/** A commission with the steps that led to it and its reversals. */
export interface CommissionRecord {
  id: number;
  cents: number;
  percent: number;
  /** The rule that decided the percent; absent for manual postings. */
  rule: Outcome['because'] | undefined;
  program: Program | '';
  product: Product | 'partner_program' | '';
  licenseProduct: Product | '';
  campaignName: string;
  clientEmail: string;
  /** Held because the license is blocked. */
  held: boolean;
  clickedAt: Date | null;
  trialAt: Date | null;
  qualifiedAt: Date | null;
  paidAt: Date;
  reversals: ReversalRecord[];
}

type Found = Omit<CommissionRecord, 'percent' | 'rule' | 'reversals'> & {
  percent: string | null;
  outcome: Outcome[] | null;
  reversals: { at: string; cents: number; kind: ReversalRecord['kind'] }[];
};

/** The external id of a reversal is this prefix and the external id of the refund. */
const REFUND_NAME = 'refund '.length + 1;

const REVERSALS = sql`
  select coalesce(jsonb_agg(jsonb_build_object('at', v.occurred_at, 'cents', x.amount_cents, 'kind', coalesce(f.kind, 'refund')) order by v.id), '[]')
  from ledger_transactions v
  join ledger_entries x on x.partner_id = v.partner_id and x.transaction_id = v.id and x.account = 'commission'
  left join refunds f on f.external_id = substr(v.external_id, ${REFUND_NAME})
  where v.partner_id = t.partner_id and v.organization_id = t.organization_id
    and v.payment_external_id = t.payment_external_id and v.kind = 'reversal'`;

/** The license was referred by the partner or by a partner it referred. Clicks of other partners are not shown. */
const read = (partnerId: number, { from, until }: Span, before: RawBuilder<unknown>, limit: number) => sql<Found>`
  select t.id, -e.amount_cents as cents, t.percent, t.program, t.product, t.license_product as "licenseProduct",
    coalesce(c.name, '') as "campaignName", coalesce(a.id, '') as "clientEmail", coalesce(l.status = 'blocked', false) as held,
    k.clicked_at as "clickedAt", l.created_at as "trialAt", l.qualified_at as "qualifiedAt", t.occurred_at as "paidAt",
    p.outcome, (${REVERSALS}) as reversals
  from ledger_transactions t
  join ledger_entries e on e.partner_id = t.partner_id and e.transaction_id = t.id and e.account = 'commission'
  left join campaigns c on c.partner_id = t.partner_id and c.id = t.campaign_id
  left join payments p on p.organization_id = t.organization_id and p.external_id = t.payment_external_id
  left join referred_licenses l on l.organization_id = t.organization_id and (l.partner_id = t.partner_id
    or l.partner_id in (select r.referred_id from referred_partners r where r.partner_id = t.partner_id))
  left join clicks k on k.partner_id = t.partner_id and k.id = l.click_id
  left join agents a on a.organization_id = t.organization_id and a.permission = 'owner'
  where t.partner_id = ${partnerId} and t.kind = 'commission' and t.occurred_at >= ${from} and t.occurred_at < ${until} ${before}
  order by t.occurred_at desc, t.id desc limit ${limit}`;

const toRecord = (partnerId: number, { outcome, percent, reversals, ...found }: Found): CommissionRecord => ({
  ...found,
  percent: Number(percent ?? 0),
  rule: outcome?.find((one) => one.partnerId === partnerId)?.because,
  reversals: reversals.map(({ at, ...reversal }) => ({ ...reversal, at: new Date(at) })),
});

const LIST = 'commissions';

const beforeCursor = ({ at, id }: Cursor): RawBuilder<unknown> =>
  sql`and (t.occurred_at, t.id) < (${at}::timestamptz, ${id}::bigint)`;

/** A page of commissions, newest first. The cursor is empty on the last page. */
export const listCommissions = async (
  scope: PartnerScope,
  { limit, cursor, ...range }: DateRange & { limit: number; cursor?: string | undefined },
): Promise<{ commissions: CommissionRecord[]; nextCursor: string }> => {
  requirePartner(scope.actor);
  const after = cursor === undefined ? undefined : decodePageId(scope, LIST, cursor, 'nextCursor').cursor;
  const before = after ? beforeCursor(after) : sql``;
  const { rows } = await read(scope.partnerId, spanOf(range), before, limit + 1).execute(scope.db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const position = last && { at: last.paidAt.toISOString(), id: String(last.id) };
  return {
    commissions: page.map((found) => toRecord(scope.partnerId, found)),
    nextCursor:
      position && rows.length > limit
        ? encodePageId(scope, LIST, { filters: {}, limit, order: 'desc', cursor: position })
        : '',
  };
};
