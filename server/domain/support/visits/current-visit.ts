import type { Selectable } from 'kysely';
import type { VisitsTable } from '#server/storage/tables/visits.ts';
import type { OrganizationScope } from '../../scope.ts';

export type VisitRow = Omit<Selectable<VisitsTable>, 'organizationId'>;

/** A customer who comes back after this long begins another visit. */
export const SILENCE_MS = 30 * 60 * 1000;

const COLUMNS = [
  ...(['id', 'customerId', 'number', 'groupId', 'startedAt', 'lastSeenAt'] as const),
  ...(['onlineUntil', 'referrer', 'userAgent', 'pageCount'] as const),
  ...(['ip', 'endedAt', 'trackedUntil', 'language', 'timezone', 'place'] as const),
] as const;

export const findLastVisit = (scope: OrganizationScope, customerId: string): Promise<VisitRow | undefined> =>
  scope
    .from('visits')
    .where('customerId', '=', customerId)
    .orderBy('number', 'desc')
    .limit(1)
    .select(COLUMNS)
    .executeTakeFirst();

export const goesOn = ({ lastSeenAt }: Pick<VisitRow, 'lastSeenAt'>, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() <= SILENCE_MS;

/** The visit that the customer is on, if any. */
export const findCurrentVisit = async (scope: OrganizationScope, customerId: string): Promise<VisitRow | undefined> => {
  const last = await findLastVisit(scope, customerId);
  return last && goesOn(last, scope.now()) ? last : undefined;
};
