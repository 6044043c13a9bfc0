import { type RawBuilder, sql } from 'kysely';
import type { Product } from '#server/storage/tables/products.ts';
import type { CampaignProduct, Program } from '#server/storage/tables/program.ts';
import { clickRows } from './click-rows.ts';
import type { CutSpan } from './range.ts';

export type AnyProduct = Product | CampaignProduct;

/**
 * A measure is a query for rows of `day`, `campaign_id` (0 if none) and `amount`. Totals, reports and best campaigns read the
 * same rows, so that they always agree.
 */
export type Measure = (partnerId: number, span: CutSpan) => RawBuilder<unknown>;

const and = (conditions: (RawBuilder<unknown> | undefined)[]): RawBuilder<unknown> => {
  const defined = conditions.filter((condition) => condition !== undefined);
  return defined.length === 0 ? sql`true` : sql.join(defined, sql` and `);
};

const equals = (column: string, value: string | undefined): RawBuilder<unknown> | undefined =>
  value === undefined ? undefined : sql`${sql.ref(column)} = ${value}`;

export const clicks =
  ({ product }: { product?: AnyProduct | undefined }): Measure =>
  (partnerId, span) => {
    const ofProduct = sql`where k.campaign_id in (
      select c.id from campaigns c where c.partner_id = ${partnerId} and c.product = ${product})`;
    return sql`
      select k.day, k.campaign_id, k.clicks as amount
      from (${clickRows(partnerId, span)}) k ${product === undefined ? sql`` : ofProduct}`;
  };

const licensesBy =
  (column: 'created_at' | 'converted_at') =>
  ({ product }: { product?: AnyProduct | undefined }): Measure =>
  (partnerId, { from, until }) => {
    const at = sql.ref(`l.${column}`);
    return sql`
      select (${at} at time zone 'UTC')::date as day, coalesce(l.campaign_id, 0) as campaign_id, 1 as amount
      from referred_licenses l
      where l.partner_id = ${partnerId} and ${at} >= ${from} and ${at} < ${until}
        and ${and([sql`l.program = 'affiliate'`, equals('l.product', product)])}`;
  };

/** Licenses that the partner referred as an affiliate, by creation date. */
export const trials = licensesBy('created_at');
/** Licenses by the date of their first payment. */
export const conversions = licensesBy('converted_at');

/**
 * A condition on commission rows. Columns: `s.program`, `s.product` (under which the earnings are listed), `s.license_product`.
 */
const commissionWhere =
  (where: RawBuilder<unknown>): Measure =>
  (partnerId, { days, ends }) =>
    sql`
      select s.day, s.campaign_id, -s.amount_cents as amount
      from ledger_days s
      where s.partner_id = ${partnerId} and s.account = 'commission'
        and s.day >= ${days.from}::date and s.day < ${days.until}::date and ${where}
      ${sql.join(
        ends.map(
          ({ from, until }) => sql`
      union all select (s.occurred_at at time zone 'UTC')::date, coalesce(s.campaign_id, 0), -e.amount_cents
      from ledger_transactions s join ledger_entries e on e.partner_id = s.partner_id and e.transaction_id = s.id
      where s.partner_id = ${partnerId} and s.occurred_at >= ${from} and s.occurred_at < ${until}
        and e.account = 'commission' and ${where}`,
        ),
        sql` `,
      )}`;

/** Second-tier commission is listed under this product in the affiliate program. */
const SECOND_TIER = 'partner_program';

const programIs = (program: Program | undefined): RawBuilder<unknown> | undefined => {
  if (program === undefined) return undefined;
  return program === 'affiliate'
    ? sql`(s.program = 'affiliate' or s.product = ${SECOND_TIER})`
    : sql`(s.program = ${program} and s.product <> ${SECOND_TIER})`;
};

export interface CommissionQuestion {
  program?: Program | undefined;
  product?: AnyProduct | undefined;
}

/** Commission that meets all conditions, minus reversals, in cents. */
export const commission = (...requested: CommissionQuestion[]): Measure =>
  commissionWhere(and(requested.flatMap(({ program, product }) => [programIs(program), equals('s.product', product)])));

export const affiliateEarnings = ({ product }: { product?: AnyProduct | undefined }): Measure =>
  commission({ program: 'affiliate', product });

/** Second-tier commission, by the program and product of the paying licenses. */
export const referredCommission = ({ program, product }: CommissionQuestion): Measure =>
  commissionWhere(
    and([
      equals('s.product', SECOND_TIER),
      equals('s.program', program),
      equals('s.license_product', product === SECOND_TIER ? undefined : product),
    ]),
  );
