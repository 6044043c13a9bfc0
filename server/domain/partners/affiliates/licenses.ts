import { type Selectable, sql } from 'kysely';
import type { ReferredLicensesTable } from '#server/storage/tables/program.ts';
import { requirePartner } from '../../access.ts';
import { decodePageId, encodePageId } from '../../paging.ts';
import type { PartnerScope } from '../../scope.ts';
import { readCommissionPercents } from './commission-percents.ts';
import { type DateRange, type Span, spanOf } from './range.ts';

export interface LicenseRecord extends Selectable<ReferredLicensesTable> {
  /** Empty if the license has no campaign. */
  campaignName: string;
  earnedCents: number;
  /** The commission percent of its next payment. */
  percent: number;
}

const fromLicenses = (scope: PartnerScope, { from, until }: Span) => {
  requirePartner(scope.actor);
  return scope
    .from('referredLicenses')
    .leftJoin('campaigns', (join) =>
      join
        .onRef('campaigns.partnerId', '=', 'referredLicenses.partnerId')
        .onRef('campaigns.id', '=', 'referredLicenses.campaignId'),
    )
    .leftJoin('ledgerLicenses', (join) =>
      join
        .onRef('ledgerLicenses.partnerId', '=', 'referredLicenses.partnerId')
        .onRef('ledgerLicenses.organizationId', '=', 'referredLicenses.organizationId')
        .on('ledgerLicenses.account', '=', 'commission'),
    )
    .where('referredLicenses.program', '=', 'affiliate')
    .where('referredLicenses.createdAt', '>=', from)
    .where('referredLicenses.createdAt', '<', until)
    .orderBy('referredLicenses.createdAt', 'desc')
    .orderBy('referredLicenses.organizationId', 'desc')
    .selectAll('referredLicenses')
    .select([
      sql<string>`coalesce(campaigns.name, '')`.as('campaignName'),
      sql<number>`coalesce(-ledger_licenses.amount_cents, 0)::bigint`.as('earnedCents'),
    ]);
};

type Found = Omit<LicenseRecord, 'percent'>;

const withPercents = async (scope: PartnerScope, found: Found[]): Promise<LicenseRecord[]> => {
  const percentOf = await readCommissionPercents(scope, 'commission');
  return found.map((license) => ({ ...license, percent: percentOf(license) }));
};

/** Licenses that the partner referred as an affiliate, newest first. */
export const listLicenses = async (scope: PartnerScope, range: DateRange): Promise<LicenseRecord[]> =>
  withPercents(scope, await fromLicenses(scope, spanOf(range)).execute());

export type LicenseStage = 'trial' | 'paid' | 'expired';

/** Blocked licenses are in no stage. */
const statuses = { trial: 'trial', paid: 'active', expired: 'expired' } as const;

interface StagePage extends Span {
  stage: LicenseStage;
  limit: number;
  /** The position of the last row of the previous page. */
  cursor?: string | undefined;
}

/** A page of licenses with the cursor of the next page, which is empty on the last page. */
export const listLicensesByStage = async (
  scope: PartnerScope,
  { stage, limit, cursor, ...span }: StagePage,
): Promise<{ licenses: LicenseRecord[]; nextCursor: string }> => {
  const list = `licenses ${stage}`;
  const after = cursor === undefined ? undefined : decodePageId(scope, list, cursor, 'nextCursor').cursor;
  const found = await fromLicenses(scope, span)
    .where('referredLicenses.status', '=', statuses[stage])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(referred_licenses.created_at, referred_licenses.organization_id) < (${after!.at}::timestamptz, ${after!.id}::uuid)`,
      ),
    )
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const position = last && { at: last.createdAt.toISOString(), id: last.organizationId };
  return {
    licenses: await withPercents(scope, page),
    nextCursor:
      position && found.length > limit
        ? encodePageId(scope, list, { filters: {}, limit, order: 'desc', cursor: position })
        : '',
  };
};

/** The current number of licenses in each stage. */
export const countLicensesByStage = async (scope: PartnerScope): Promise<Record<LicenseStage, number>> => {
  requirePartner(scope.actor);
  const rows = await scope
    .from('referredLicenses')
    .where('program', '=', 'affiliate')
    .groupBy('status')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .execute();
  const count = (stage: LicenseStage): number => rows.find(({ status }) => status === statuses[stage])?.count ?? 0;
  return { trial: count('trial'), paid: count('paid'), expired: count('expired') };
};
