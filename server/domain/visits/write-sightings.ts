import { randomUUID } from 'node:crypto';
import type { SessionFields } from '#server/storage/tables/customers.ts';
import { normalizeIp } from '../customers/address.ts';
import { ALL_AGENTS } from '../groups/online.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';
import type { Sighting } from './beacons.ts';
import { goesOn, type VisitRow } from './current-visit.ts';
import { trackedUntil } from './keep-tracked.ts';
import { MOST_PAGES } from './record-page.ts';

type Tx = Transaction<OrganizationScope>;

/** Somebody as found, held until the end of the transaction. */
export interface KnownVisitor {
  id: string;
  secretHash: Buffer | null;
  sessionFields: SessionFields;
  visitsCount: number;
  groupId: number | null;
  bannedUntil: Date | null;
  addressBannedUntil: Date | null;
}

/** Whoever is new becomes a customer, by the id that the browser chose. */
export const holdVisitors = async (tx: Tx, sightings: Sighting[]): Promise<Map<string, KnownVisitor>> => {
  const ids = sightings.map(({ customerId }) => customerId);
  await tx.executor.query({
    name: 'add_visitors',
    text: `
insert into customers (organization_id, id, cookie_secret_hash, created_at)
select $1, v.id, v.secret_hash, $4 from unnest($2::uuid[], $3::bytea[]) as v(id, secret_hash) order by v.id
on conflict do nothing`,
    values: [tx.organizationId, ids, sightings.map(({ secretHash }) => secretHash), tx.now()],
  });
  const { rows } = await tx.executor.query<KnownVisitor>({
    name: 'hold_visitors',
    text: `
select c.id, c.cookie_secret_hash as "secretHash", c.session_fields as "sessionFields", c.visits_count as "visitsCount",
  c.group_id as "groupId", c.banned_until as "bannedUntil",
  (select max(b.until) from bans b where b.organization_id = c.organization_id and b.ip = v.ip) as "addressBannedUntil"
from unnest($2::uuid[], $3::text[]) as v(id, ip)
join customers c on c.organization_id = $1 and c.id = v.id
order by c.id for no key update of c`,
    values: [tx.organizationId, ids, sightings.map(({ browser }) => (browser.ip && normalizeIp(browser.ip)) ?? null)],
  });
  return new Map(rows.map((row) => [row.id, row]));
};

/** Read after their customers are held, so that nobody begins another one meanwhile. */
const findLastVisits = async (tx: Tx, customerIds: string[]): Promise<Map<string, VisitRow>> => {
  const rows = await tx
    .from('visits')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.organizationId', '=', 'visits.organizationId')
        .onRef('customers.id', '=', 'visits.customerId')
        .onRef('customers.visitsCount', '=', 'visits.number'),
    )
    .where('visits.customerId', 'in', customerIds)
    .selectAll('visits')
    .execute();
  return new Map(rows.map(({ organizationId: _, ...visit }) => [visit.customerId, visit]));
};

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
  if (sightings.length === 0) return [];
  const last = await findLastVisits(
    tx,
    sightings.map(({ customerId }) => customerId),
  );
  return sightings.flatMap((sighting): SeenVisit[] => {
    const before = last.get(sighting.customerId);
    if (before && goesOn(before, sighting.seenAt))
      return [{ sighting, before, visit: goOn(before, sighting), begins: false }];
    // A good-bye begins nothing.
    if (sighting.left && sighting.pages.length === 0) return [];
    const opening = sighting.pages.length > 0 ? sighting : { ...sighting, pages: [sighting.page] };
    const visit = begin(tx, opening, known.get(sighting.customerId)!);
    return [{ sighting: opening, before, visit, begins: true }];
  });
};

const VISITS = `
insert into visits (organization_id, id, customer_id, number, group_id, started_at, last_seen_at, tracked_until, referrer,
  user_agent, page_count, ip, language, timezone, place)
select $1, v.id, v."customerId", v.number, v."groupId", v."startedAt", v."lastSeenAt", v."trackedUntil", v.referrer,
  v."userAgent", v."pageCount", v.ip, v.language, v.timezone, v.place
from json_to_recordset($2) as v(id uuid, "customerId" uuid, number int, "groupId" int, "startedAt" timestamptz,
  "lastSeenAt" timestamptz, "trackedUntil" timestamptz, referrer text, "userAgent" text, "pageCount" int, ip text,
  language text, timezone text, place jsonb)
on conflict (organization_id, id) do update set last_seen_at = excluded.last_seen_at, tracked_until = excluded.tracked_until,
  group_id = excluded.group_id, referrer = excluded.referrer, user_agent = excluded.user_agent, ip = excluded.ip,
  page_count = excluded.page_count, language = excluded.language, timezone = excluded.timezone, ended_at = null`;

const PAGES = `
insert into visit_pages (organization_id, visit_id, number, url, title, opened_at)
select $1, p."visitId", p.number, p.url, p.title, p."openedAt"
from json_to_recordset($2) as p("visitId" uuid, number int, url text, title text, "openedAt" timestamptz)`;

const COUNTS = `
update customers c set visits_count = c.visits_count + s.visits, page_views_count = c.page_views_count + s.pages
from json_to_recordset($2) as s(id uuid, visits int, pages int)
where c.organization_id = $1 and c.id = s.id`;

const numberPages = ({ visit, sighting: { pages } }: SeenVisit) =>
  pages.map((page, at) => ({ visitId: visit.id, number: visit.pageCount - pages.length + at + 1, ...page }));

/** Four statements, however many visitors there are. */
export const writeVisits = async (tx: Tx, seen: SeenVisit[]): Promise<void> => {
  const write = (name: string, text: string, rows: object[]) =>
    rows.length > 0 && tx.executor.query({ name, text, values: [tx.organizationId, JSON.stringify(rows)] });
  const followed = seen.flatMap(({ begins, before }) => (begins && before && !before.endedAt ? [before.id] : []));
  if (followed.length > 0)
    await tx
      .update('visits')
      .where('id', 'in', followed)
      .set((eb) => ({ endedAt: eb.ref('lastSeenAt') }))
      .execute();
  await write(
    'write_visits',
    VISITS,
    seen.map(({ visit }) => visit),
  );
  await write('write_pages', PAGES, seen.flatMap(numberPages));
  await write(
    'count_visits',
    COUNTS,
    seen.flatMap(({ sighting: { customerId: id, pages }, begins }) =>
      begins || pages.length > 0 ? [{ id, visits: Number(begins), pages: pages.length }] : [],
    ),
  );
  for (const { visit, sighting } of seen)
    if (sighting.pages.length > 0 && visit.pageCount > MOST_PAGES)
      await tx
        .remove('visitPages')
        .where('visitId', '=', visit.id)
        .where('number', '<=', visit.pageCount - MOST_PAGES)
        .execute();
};
