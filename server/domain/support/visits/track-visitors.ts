import type { SessionFields } from '#server/storage/tables/customers.ts';
import { DomainError } from '../../errors.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { emitCustomerUpdated } from '../customers/pending-update.ts';
import { checkSessionFields, emitSessionFields } from '../customers/session-fields.ts';
import { countGoals, countSale } from '../goals/reach-goals.ts';
import { reachGoalsOfMany } from '../goals/reach-goals-of-many.ts';
import { greetVisitors } from '../greetings/greet-visitors.ts';
import { announceActivities } from './announce-activities.ts';
import { type BeaconAnswer, isHeartbeat, type VisitorActivity } from './beacons.ts';
import type { VisitRow } from './current-visit.ts';
import { extendTracking } from './extend-tracking.ts';
import { browserKey, filterOwnBrowsers } from './filter-own-browsers.ts';
import { findLastVisits, type LockedVisitor, lockVisitors } from './lock-visitors.ts';
import { type PlannedVisit, planVisits, writeVisits } from './write-visits.ts';

type Tx = Transaction<OrganizationScope>;

/** A visitor for whom greetings may be checked afterwards. */
interface Tracked {
  activity: VisitorActivity;
  visit: VisitRow;
  sessionFields: SessionFields;
}

const isBanned = ({ bannedUntil, addressBannedUntil }: LockedVisitor, now: Date): boolean =>
  [bannedUntil, addressBannedUntil].some((until) => until !== null && until > now);

/** Variables beyond the limits are ignored, since a page cannot handle an error. */
const joinFields = (fields: SessionFields, variables: Record<string, string>): SessionFields => {
  try {
    return checkSessionFields([...fields, variables]);
  } catch (error) {
    if (error instanceof DomainError) return fields;
    throw error;
  }
};

const writeVariables = async (tx: Tx, { id, sessionFields }: LockedVisitor, variables: Record<string, string>) => {
  if (Object.keys(variables).length === 0) return sessionFields;
  const joined = joinFields(sessionFields, variables);
  const text = JSON.stringify(joined);
  if (text === JSON.stringify(sessionFields)) return sessionFields;
  await tx.update('customers').where('id', '=', id).set({ sessionFields: text }).execute();
  await emitCustomerUpdated(tx, id);
  await emitSessionFields(tx, id, joined);
  return joined;
};

/** Counts goals that pages report explicitly; goals for pages and variables are detected automatically. */
const countReportedGoals = async (tx: Tx, visit: VisitRow, goals: VisitorActivity['goals']): Promise<void> => {
  if (goals.length === 0) return;
  const reported = await tx
    .from('goals')
    .where('id', 'in', [...new Set(goals.map(({ goalId }) => goalId))])
    .where('type', 'in', ['api', 'sales_tracker'])
    .where('active', '=', true)
    .where('deletedAt', 'is', null)
    .select('id')
    .execute();
  for (const { goalId, sale } of goals.filter(({ goalId }) => reported.some(({ id }) => id === goalId)))
    await (sale ? countSale(tx, visit, goalId, sale) : countGoals(tx, visit, [goalId]));
};

/** Ignores groups that do not exist. */
const withKnownGroups = async (tx: Tx, activities: VisitorActivity[]): Promise<VisitorActivity[]> => {
  const named = [...new Set(activities.flatMap(({ groupId }) => groupId ?? []))];
  if (named.length === 0) return activities;
  const rows = await tx.from('groups').where('id', 'in', named).select('id').execute();
  const existing = new Set(rows.map(({ id }) => id));
  return activities.map((one) =>
    one.groupId === undefined || existing.has(one.groupId) ? one : { ...one, groupId: undefined },
  );
};

/** Writes all activities that are more than heartbeats. Returns which customers were recognized. */
const writeAll = (
  scope: OrganizationScope,
  activities: VisitorActivity[],
): Promise<{ recognised: Set<string>; tracked: Tracked[] }> =>
  scope.transaction(async (tx) => {
    const existing = await lockVisitors(tx, activities);
    const own = activities.filter(({ customerId, secretHash }) =>
      existing.get(customerId)?.secretHash?.equals(secretHash),
    );
    const allowed = own.filter(({ customerId }) => !isBanned(existing.get(customerId)!, tx.now()));
    const seen: PlannedVisit[] = await planVisits(tx, await withKnownGroups(tx, allowed), existing);
    await writeVisits(tx, seen);
    const tracked: Tracked[] = [];
    for (const { activity, visit } of seen) {
      const sessionFields = await writeVariables(tx, existing.get(activity.customerId)!, activity.variables);
      await countReportedGoals(tx, visit, activity.goals);
      tracked.push({ activity, visit, sessionFields });
    }
    await reachGoalsOfMany(
      tx,
      tracked
        .filter(({ activity }) => !isHeartbeat(activity))
        .map(({ activity, ...one }) => ({ ...one, pageUrls: activity.pages.map(({ url }) => url) })),
    );
    await announceActivities(tx, seen);
    return { recognised: new Set(own.map(({ customerId }) => customerId)), tracked };
  });

/** Visits of heartbeats that want a greeting check. */
const readHeartbeatVisits = async (scope: OrganizationScope, heartbeats: VisitorActivity[]): Promise<Tracked[]> => {
  const withGreetingCheck = heartbeats.filter(({ checksGreeting }) => checksGreeting);
  if (withGreetingCheck.length === 0) return [];
  const visits = await findLastVisits(
    scope,
    withGreetingCheck.map(({ customerId }) => customerId),
  );
  return withGreetingCheck.map((activity) => ({ activity, ...visits.get(activity.customerId)! }));
};

/**
 * Writes the activities of one organization, at most one per browser, and returns an answer for each. The number of
 * statements does not grow with the visitors, except for the few with individual effects.
 */
export const trackVisitors = async (
  scope: OrganizationScope,
  all: VisitorActivity[],
): Promise<Map<string, BeaconAnswer>> => {
  const activities = await filterOwnBrowsers(scope, all);
  const heartbeats = activities.filter(isHeartbeat);
  const extended = heartbeats.length > 0 ? await extendTracking(scope, heartbeats) : new Set<string>();
  const rest = activities.filter((one) => !extended.has(one.customerId));
  const { recognised, tracked } =
    rest.length > 0 ? await writeAll(scope, rest) : { recognised: new Set<string>(), tracked: [] };
  const heartbeatVisits = await readHeartbeatVisits(
    scope,
    heartbeats.filter(({ customerId }) => extended.has(customerId)),
  );
  const withGreetingCheck = [...tracked, ...heartbeatVisits].filter(
    ({ activity }) => activity.checksGreeting && !activity.left,
  );
  const checks = await greetVisitors(
    scope,
    withGreetingCheck.map(({ visit, sessionFields }) => ({ visit, sessionFields })),
  );
  const checkOf = new Map(withGreetingCheck.map(({ visit }) => [visit.customerId, checks.get(visit.id)]));
  const own = new Set(activities);
  const answer = (activity: VisitorActivity): BeaconAnswer => {
    const { customerId } = activity;
    const check = checkOf.get(customerId);
    const isRecognized = own.has(activity) && (extended.has(customerId) || recognised.has(customerId));
    return isRecognized
      ? { recognised: true, greeting: check?.greeting, checkAgainAt: check?.againAt }
      : { recognised: false };
  };
  return new Map(all.map((activity) => [browserKey(activity), answer(activity)]));
};
