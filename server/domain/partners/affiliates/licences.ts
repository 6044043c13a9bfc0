import { type Selectable, sql } from 'kysely';
import type { ReferredLicencesTable } from '#server/storage/tables/programme.ts';
import { requirePartner } from '../../access.ts';
import { openPage, sealPage } from '../../paging.ts';
import type { PartnerScope } from '../../scope.ts';
import { readPercents } from './percents.ts';
import { type DateRange, type Span, spanOf } from './range.ts';

export interface LicenceRecord extends Selectable<ReferredLicencesTable> {
  /** Empty: it came by none. */
  campaignName: string;
  earnedCents: number;
  /** What its next payment would earn. */
  percent: number;
}

const fromLicences = (scope: PartnerScope, { from, until }: Span) => {
  requirePartner(scope.actor);
  return scope
    .from('referredLicences')
    .leftJoin('campaigns', (join) =>
      join
        .onRef('campaigns.partnerId', '=', 'referredLicences.partnerId')
        .onRef('campaigns.id', '=', 'referredLicences.campaignId'),
    )
    .leftJoin('ledgerLicences', (join) =>
      join
        .onRef('ledgerLicences.partnerId', '=', 'referredLicences.partnerId')
        .onRef('ledgerLicences.organizationId', '=', 'referredLicences.organizationId')
        .on('ledgerLicences.account', '=', 'commission'),
    )
    .where('referredLicences.program', '=', 'affiliate')
    .where('referredLicences.createdAt', '>=', from)
    .where('referredLicences.createdAt', '<', until)
    .orderBy('referredLicences.createdAt', 'desc')
    .orderBy('referredLicences.organizationId', 'desc')
    .selectAll('referredLicences')
    .select([
      sql<string>`coalesce(campaigns.name, '')`.as('campaignName'),
      sql<number>`coalesce(-ledger_licences.amount_cents, 0)::bigint`.as('earnedCents'),
    ]);
};

type Found = Omit<LicenceRecord, 'percent'>;

const withPercents = async (scope: PartnerScope, found: Found[]): Promise<LicenceRecord[]> => {
  const percentOf = await readPercents(scope, 'commission');
  return found.map((licence) => ({ ...licence, percent: percentOf(licence) }));
};

/** Those that the partner brought as an affiliate, the newest first. */
export const listLicences = async (scope: PartnerScope, range: DateRange): Promise<LicenceRecord[]> =>
  withPercents(scope, await fromLicences(scope, spanOf(range)).execute());

export type LicenceStage = 'trial' | 'paid' | 'expired';

/** A blocked licence is in none of them. */
const statuses = { trial: 'trial', paid: 'active', expired: 'expired' } as const;

interface StagePage extends Span {
  stage: LicenceStage;
  limit: number;
  /** Where the page before ended. */
  cursor?: string | undefined;
}

/** A page of them, and what leads to the next one; nothing leads on from the last. */
export const listLicencesByStage = async (
  scope: PartnerScope,
  { stage, limit, cursor, ...span }: StagePage,
): Promise<{ licences: LicenceRecord[]; nextCursor: string }> => {
  const list = `licences ${stage}`;
  const after = cursor === undefined ? undefined : openPage(scope, list, cursor, 'next_cursor').cursor;
  const found = await fromLicences(scope, span)
    .where('referredLicences.status', '=', statuses[stage])
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(referred_licences.created_at, referred_licences.organization_id) < (${after!.at}::timestamptz, ${after!.id}::uuid)`,
      ),
    )
    .limit(limit + 1)
    .execute();
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const position = last && { at: last.createdAt.toISOString(), id: last.organizationId };
  return {
    licences: await withPercents(scope, page),
    nextCursor:
      position && found.length > limit
        ? sealPage(scope, list, { filters: {}, limit, order: 'desc', cursor: position })
        : '',
  };
};

/** How many there are of each now. */
export const countLicencesByStage = async (scope: PartnerScope): Promise<Record<LicenceStage, number>> => {
  requirePartner(scope.actor);
  const rows = await scope
    .from('referredLicences')
    .where('program', '=', 'affiliate')
    .groupBy('status')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .execute();
  const count = (stage: LicenceStage): number => rows.find(({ status }) => status === statuses[stage])?.count ?? 0;
  return { trial: count('trial'), paid: count('paid'), expired: count('expired') };
};
