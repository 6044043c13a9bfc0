import type { Selectable } from 'kysely';
import type { VisitsTable } from '#server/storage/tables/visits.ts';
import type { OrganizationScope } from '../../scope.ts';

export type VisitRow = Omit<Selectable<VisitsTable>, 'organizationId'>;

/** After this long without activity, a new visit starts. */
export const VISIT_TIMEOUT_MS = 30 * 60 * 1000;

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

export const isOngoing = ({ lastSeenAt }: Pick<VisitRow, 'lastSeenAt'>, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() <= VISIT_TIMEOUT_MS;

/** Returns the ongoing visit, if any. */
export const findCurrentVisit = async (scope: OrganizationScope, customerId: string): Promise<VisitRow | undefined> => {
  const last = await findLastVisit(scope, customerId);
  return last && isOngoing(last, scope.now()) ? last : undefined;
};
