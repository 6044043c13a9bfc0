import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from '../customers/normalize-ip.ts';
import type { VisitorActivity } from './beacons.ts';
import { isOngoing, type VisitRow } from './current-visit.ts';
import { trackedUntil } from './extend-tracking.ts';
import { findLastVisits, type LockedVisitor } from './lock-visitors.ts';
import { MAX_PAGES } from './record-page.ts';

type Tx = Transaction<OrganizationScope>;

/** The visit to write for one visitor. `before` is the visit that continues or precedes it. */
export interface PlannedVisit {
  activity: VisitorActivity;
  visit: VisitRow;
  before: VisitRow | undefined;
  begins: boolean;
}

const startVisit = (tx: Tx, activity: VisitorActivity, { visitsCount, groupId }: LockedVisitor): VisitRow => {
  const ip = (activity.browser.ip && normalizeIp(activity.browser.ip)) ?? null;
  return {
    ...{ id: randomUUID(), customerId: activity.customerId, number: visitsCount + 1 },
    ...{ groupId: activity.groupId ?? groupId ?? ALL_AGENTS, startedAt: activity.seenAt, lastSeenAt: activity.seenAt },
    ...{ onlineUntil: null, endedAt: null, trackedUntil: trackedUntil(activity), pageCount: activity.pages.length },
    ...{ referrer: activity.referrer ?? null, userAgent: activity.browser.userAgent ?? null, ip },
    ...{ language: activity.language ?? null, timezone: activity.timezone ?? null },
    place: (ip && tx.services.installation.locate(ip)) || null,
  };
};

const continueVisit = (visit: VisitRow, activity: VisitorActivity): VisitRow => ({
  ...visit,
  groupId: activity.groupId ?? visit.groupId,
  lastSeenAt: new Date(Math.max(activity.seenAt.getTime(), visit.lastSeenAt.getTime())),
  endedAt: null,
  trackedUntil: trackedUntil(activity),
  pageCount: visit.pageCount + activity.pages.length,
  referrer: visit.referrer ?? activity.referrer ?? null,
  language: activity.language ?? visit.language,
  timezone: activity.timezone ?? visit.timezone,
  userAgent: activity.browser.userAgent ?? visit.userAgent,
  ip: (activity.browser.ip && normalizeIp(activity.browser.ip)) ?? visit.ip,
});

/**
 * Determines the visit of each visitor. A visitor who returns after the timeout starts a new visit with the open page.
 */
export const planVisits = async (
  tx: Tx,
  activities: VisitorActivity[],
  existing: ReadonlyMap<string, LockedVisitor>,
): Promise<PlannedVisit[]> => {
  const last = await findLastVisits(
    tx,
    activities.flatMap(({ customerId: id }) => (existing.get(id)!.visitsCount > 0 ? [id] : [])),
  );
  return activities.flatMap((activity): PlannedVisit[] => {
    const before = last.get(activity.customerId)?.visit;
    if (before && isOngoing(before, activity.seenAt))
      return [{ activity, before, visit: continueVisit(before, activity), begins: false }];
    // Leaving a page does not start a visit.
    if (activity.left && activity.pages.length === 0) return [];
    const opening = activity.pages.length > 0 ? activity : { ...activity, pages: [activity.page] };
    const visit = startVisit(tx, opening, existing.get(activity.customerId)!);
    return [{ activity: opening, before, visit, begins: true }];
  });
};

/** One statement for all visitors; foreign keys are checked at its end. */
const WRITE = `
with written as (
  insert into visits (organization_id, id, customer_id, number, group_id, started_at, last_seen_at, tracked_until, referrer,
    user_agent, page_count, ip, language, timezone, place)
  select $1, v.id, v."customerId", v.number, v."groupId", v."startedAt", v."lastSeenAt", v."trackedUntil", v.referrer,
    v."userAgent", v."pageCount", v.ip, v.language, v.timezone, v.place
  from json_to_recordset($2) as v(id uuid, "customerId" uuid, number int, "groupId" int, "startedAt" timestamptz,
    "lastSeenAt" timestamptz, "trackedUntil" timestamptz, referrer text, "userAgent" text, "pageCount" int, ip text,
    language text, timezone text, place jsonb)
  on conflict (organization_id, id) do update set last_seen_at = excluded.last_seen_at,
    tracked_until = excluded.tracked_until, group_id = excluded.group_id, referrer = excluded.referrer,
    user_agent = excluded.user_agent, ip = excluded.ip, page_count = excluded.page_count, language = excluded.language,
    timezone = excluded.timezone, ended_at = null
), counted as (
  update customers c set visits_count = c.visits_count + s.visits, page_views_count = c.page_views_count + s.pages
  from json_to_recordset($4) as s(id uuid, visits int, pages int)
  where c.organization_id = $1 and c.id = s.id
)
insert into visit_pages (organization_id, visit_id, number, url, title, opened_at)
select $1, p."visitId", p.number, p.url, p.title, p."openedAt"
from json_to_recordset($3) as p("visitId" uuid, number int, url text, title text, "openedAt" timestamptz)`;

const numberPages = ({ visit, activity: { pages } }: PlannedVisit) =>
  pages.map((page, at) => ({ visitId: visit.id, number: visit.pageCount - pages.length + at + 1, ...page }));

/** Ends visits whose timeout has not been noticed before the next one starts. */
const endPreviousVisits = async (tx: Tx, seen: PlannedVisit[]): Promise<void> => {
  const followed = seen.flatMap(({ begins, before }) => (begins && before && !before.endedAt ? [before.id] : []));
  if (followed.length > 0)
    await tx
      .update('visits')
      .where('id', '=', sql<string>`any(${followed}::uuid[])`)
      .set((eb) => ({ endedAt: eb.ref('lastSeenAt') }))
      .execute();
};

/** The number of statements does not grow with the visitors, except for very long visits. */
export const writeVisits = async (tx: Tx, seen: PlannedVisit[]): Promise<void> => {
  if (seen.length === 0) return;
  await endPreviousVisits(tx, seen);
  const counts = seen.flatMap(({ activity: { customerId: id, pages }, begins }) =>
    begins || pages.length > 0 ? [{ id, visits: Number(begins), pages: pages.length }] : [],
  );
  const rows = [seen.map(({ visit }) => visit), seen.flatMap(numberPages), counts];
  await tx.executor.query({ text: WRITE, values: [tx.organizationId, ...rows.map((some) => JSON.stringify(some))] });
  for (const { visit, activity } of seen)
    if (activity.pages.length > 0 && visit.pageCount > MAX_PAGES)
      await tx
        .remove('visitPages')
        .where('visitId', '=', visit.id)
        .where('number', '<=', visit.pageCount - MAX_PAGES)
        .execute();
};
