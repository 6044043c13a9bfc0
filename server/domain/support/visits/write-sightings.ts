import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { normalizeIp } from '../customers/address.ts';
import type { Sighting } from './beacons.ts';
import { goesOn, type VisitRow } from './current-visit.ts';
import { findLastVisits, type KnownVisitor } from './hold-visitors.ts';
import { trackedUntil } from './keep-tracked.ts';
import { MAX_PAGES } from './record-page.ts';

type Tx = Transaction<OrganizationScope>;

/** What becomes of one visitor: `before` is the visit that goes on, or the one that another follows. */
export interface SeenVisit {
  sighting: Sighting;
  visit: VisitRow;
  before: VisitRow | undefined;
  begins: boolean;
}

const begin = (tx: Tx, sighting: Sighting, { visitsCount, groupId }: KnownVisitor): VisitRow => {
  const ip = (sighting.browser.ip && normalizeIp(sighting.browser.ip)) ?? null;
  return {
    ...{ id: randomUUID(), customerId: sighting.customerId, number: visitsCount + 1 },
    ...{ groupId: sighting.groupId ?? groupId ?? ALL_AGENTS, startedAt: sighting.seenAt, lastSeenAt: sighting.seenAt },
    ...{ onlineUntil: null, endedAt: null, trackedUntil: trackedUntil(sighting), pageCount: sighting.pages.length },
    ...{ referrer: sighting.referrer ?? null, userAgent: sighting.browser.userAgent ?? null, ip },
    ...{ language: sighting.language ?? null, timezone: sighting.timezone ?? null },
    place: (ip && tx.services.locate(ip)) || null,
  };
};

const goOn = (visit: VisitRow, sighting: Sighting): VisitRow => ({
  ...visit,
  groupId: sighting.groupId ?? visit.groupId,
  lastSeenAt: new Date(Math.max(sighting.seenAt.getTime(), visit.lastSeenAt.getTime())),
  endedAt: null,
  trackedUntil: trackedUntil(sighting),
  pageCount: visit.pageCount + sighting.pages.length,
  referrer: visit.referrer ?? sighting.referrer ?? null,
  language: sighting.language ?? visit.language,
  timezone: sighting.timezone ?? visit.timezone,
  userAgent: sighting.browser.userAgent ?? visit.userAgent,
  ip: (sighting.browser.ip && normalizeIp(sighting.browser.ip)) ?? visit.ip,
});

/** Works out each one's visit; whoever returns after a silence begins with the page that is open now. */
export const planVisits = async (
  tx: Tx,
  sightings: Sighting[],
  known: ReadonlyMap<string, KnownVisitor>,
): Promise<SeenVisit[]> => {
  const last = await findLastVisits(
    tx,
    sightings.flatMap(({ customerId: id }) => (known.get(id)!.visitsCount > 0 ? [id] : [])),
  );
  return sightings.flatMap((sighting): SeenVisit[] => {
    const before = last.get(sighting.customerId)?.visit;
    if (before && goesOn(before, sighting.seenAt))
      return [{ sighting, before, visit: goOn(before, sighting), begins: false }];
    // A good-bye begins nothing.
    if (sighting.left && sighting.pages.length === 0) return [];
    const opening = sighting.pages.length > 0 ? sighting : { ...sighting, pages: [sighting.page] };
    const visit = begin(tx, opening, known.get(sighting.customerId)!);
    return [{ sighting: opening, before, visit, begins: true }];
  });
};

/** What is written of each visitor; all of it is one statement, and keys are looked at when it ends. */
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

const numberPages = ({ visit, sighting: { pages } }: SeenVisit) =>
  pages.map((page, at) => ({ visitId: visit.id, number: visit.pageCount - pages.length + at + 1, ...page }));

/** Visits that nobody has looked at since they fell silent; another one follows. */
const endFollowed = async (tx: Tx, seen: SeenVisit[]): Promise<void> => {
  const followed = seen.flatMap(({ begins, before }) => (begins && before && !before.endedAt ? [before.id] : []));
  if (followed.length > 0)
    await tx
      .update('visits')
      .where('id', '=', sql<string>`any(${followed}::uuid[])`)
      .set((eb) => ({ endedAt: eb.ref('lastSeenAt') }))
      .execute();
};

/** A number of statements that does not grow with the visitors, except for those whose visit is very long. */
export const writeVisits = async (tx: Tx, seen: SeenVisit[]): Promise<void> => {
  if (seen.length === 0) return;
  await endFollowed(tx, seen);
  const counts = seen.flatMap(({ sighting: { customerId: id, pages }, begins }) =>
    begins || pages.length > 0 ? [{ id, visits: Number(begins), pages: pages.length }] : [],
  );
  const rows = [seen.map(({ visit }) => visit), seen.flatMap(numberPages), counts];
  await tx.executor.query({ text: WRITE, values: [tx.organizationId, ...rows.map((some) => JSON.stringify(some))] });
  for (const { visit, sighting } of seen)
    if (sighting.pages.length > 0 && visit.pageCount > MAX_PAGES)
      await tx
        .remove('visitPages')
        .where('visitId', '=', visit.id)
        .where('number', '<=', visit.pageCount - MAX_PAGES)
        .execute();
};
