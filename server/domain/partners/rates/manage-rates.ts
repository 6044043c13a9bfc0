import type { Insertable } from 'kysely';
import type { RatesTable } from '#server/storage/tables/program.ts';
import { requireOperator } from '../../access.ts';
import { invalid, notFound } from '../../errors.ts';
import { openPartnerScope, type PlatformScope } from '../../scope.ts';
import { assertPercent } from '../ledger/assert-percent.ts';
import type { Rate } from './resolve.ts';

export type NewRate = Pick<Insertable<RatesTable>, 'kind' | 'percent'> & {
  program?: Rate['program'] | undefined;
  product?: Rate['product'] | undefined;
  forPartnerId?: number | undefined;
  forCampaignId?: number | undefined;
  /** Defaults to now. */
  startsAt?: Date | undefined;
  endsAt?: Date | undefined;
};

const assertPossible = ({ percent, startsAt, endsAt }: NewRate, now: Date): void => {
  assertPercent('percent', percent);
  if (endsAt && endsAt <= (startsAt ?? now)) throw invalid('endsAt', 'must be after `startsAt`, which defaults to now');
};

const assertTargets = async (scope: PlatformScope, { forPartnerId, forCampaignId }: NewRate): Promise<void> => {
  if (forPartnerId === undefined) {
    if (forCampaignId !== undefined) throw invalid('partnerId', 'is required with `campaignId`');
    return;
  }
  const partner = await scope.db.selectFrom('partners').where('id', '=', forPartnerId).select('id').executeTakeFirst();
  if (!partner) throw invalid('partnerId', 'must be the id of an existing partner');
  if (forCampaignId === undefined) return;
  const rows = openPartnerScope(scope.services, scope.actor, forPartnerId);
  const campaign = await rows.from('campaigns').where('id', '=', forCampaignId).select('id').executeTakeFirst();
  if (!campaign) throw invalid('campaignId', 'must be a campaign of this partner');
};

/** Applies to payments that are recorded from now on; past commissions do not change. */
export const createRate = async (scope: PlatformScope, input: NewRate): Promise<Rate> => {
  requireOperator(scope.actor);
  const createdAt = scope.now();
  assertPossible(input, createdAt);
  await assertTargets(scope, input);
  return scope.db
    .insertInto('rates')
    .values({ ...input, startsAt: input.startsAt ?? createdAt, createdAt })
    .returningAll()
    .executeTakeFirstOrThrow();
};

export interface RatePage {
  rates: Rate[];
  /** The id of the last rate of this page, if there are more. */
  next?: number;
}

/** Oldest first. With a partner, only the rates of that partner. */
export const listRates = async (
  scope: PlatformScope,
  { partnerId, after = 0, limit }: { partnerId?: number | undefined; after?: number | undefined; limit: number },
): Promise<RatePage> => {
  requireOperator(scope.actor);
  const query = scope.db
    .selectFrom('rates')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit + 1)
    .selectAll();
  const found = await (partnerId === undefined ? query : query.where('forPartnerId', '=', partnerId)).execute();
  const rates = found.slice(0, limit);
  return { rates, ...(found.length > limit ? { next: rates.at(-1)!.id } : {}) };
};

/** Removes a rate that has not started. One that has started ends now and stays, because past commissions refer to it. */
export const endRate = async (scope: PlatformScope, { id }: { id: number }): Promise<void> => {
  requireOperator(scope.actor);
  const now = scope.now();
  const ended = await scope.transaction(async ({ db }) => {
    const removed = await db.deleteFrom('rates').where('id', '=', id).where('startsAt', '>=', now).executeTakeFirst();
    if (removed.numDeletedRows > 0n) return true;
    const { numUpdatedRows } = await db
      .updateTable('rates')
      .where('id', '=', id)
      .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', now)]))
      .set({ endsAt: now })
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  });
  if (!ended) throw notFound('Rate');
};
