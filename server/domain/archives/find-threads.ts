import { LRUCache } from 'lru-cache';
import { openValues } from '../chats/page-sql.ts';
import type { OrganizationScope } from '../scope.ts';
import { findPending, type Pending } from './find-pending.ts';
import { keepArchive } from './keep-archive.ts';
import { type ArchiveSearch, SHOWN, searchConditions, seenGroups } from './search.ts';

interface Place {
  offset: number;
  limit: number;
  /** Nobody reaches more. */
  reach: number;
}

/** Whether to walk from the newest on until there is enough, or to look everything up and sort it. */
type Way = 'walk' | 'look up';

/** A search waits so long for what has just ended; after a long pause there may be more to do than that. */
const KEEP_MS = 1_000;
/** How many of the newest are tried to tell how common it is what somebody looks for. */
const TRIED = 1_000;
/** A longer walk is worse than looking everything up; of a few that fit by chance nothing follows. */
const LONGEST_WALK = 50_000;
const LEAST_FITTING = 5;
/** Many are counted again after a while only: who turns the pages does not wait for it each time. */
const MANY = 1_000;
const REMEMBERED_MS = 30_000;

const totals = new LRUCache<string, number>({ max: 10_000, ttl: REMEMBERED_MS });

/**
 * The statistics of PostgreSQL take filters for independent of each other, and are wrong by far where they are not: an
 * agent and its group. So the newest are asked.
 */
const tryNewest = async (scope: OrganizationScope, search: ArchiveSearch): Promise<(needed: number) => Way> => {
  const given = openValues(scope.organizationId);
  const { inTime, fits } = searchConditions(scope, search, given);
  if (fits === undefined) return () => 'walk';
  const text = `
select count(*) filter (where ${fits})::int as fitting, count(*)::int as tried from (
  select e.facts ${search.text === undefined ? '' : ', e.words'} from archive_entries e
  where ${inTime} order by e.started_at desc, e.thread_id desc limit ${TRIED}) e`;
  const { rows } = await scope.executor.query<{ fitting: number; tried: number }>({ text, values: given.values });
  const { fitting, tried } = rows[0]!;
  return (needed) => (fitting >= LEAST_FITTING && (needed * tried) / fitting <= LONGEST_WALK ? 'walk' : 'look up');
};

const entriesOf = (scope: OrganizationScope, search: ArchiveSearch, given: ReturnType<typeof openValues>): string => {
  const { inTime, fits } = searchConditions(scope, search, given);
  const like = fits === undefined ? '' : `and ${fits}`;
  return `select e.thread_id as id, e.started_at as at from archive_entries e where ${inTime} ${like} and ${SHOWN}`;
};

const readPage = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  way: Way,
  pending: Pending,
  { offset, limit }: Place,
): Promise<string[]> => {
  const given = openValues(scope.organizationId);
  const entries = entriesOf(scope, search, given);
  const found = `with entry as ${way === 'walk' ? 'not materialized' : 'materialized'} (${entries})`;
  const cut = `limit ${given.add(limit)} offset ${given.add(offset)}`;
  const text =
    pending.ids.length === 0
      ? `${found} select f.id from entry f order by f.at desc, f.id desc ${cut}`
      : `${found}
select f.id from (
  (select id, at from entry order by at desc, id desc limit ${given.add(offset + limit)})
  union
  select p.id, p.at from unnest(${given.add(pending.ids)}::text[], ${given.add(pending.times)}::timestamptz(3)[]) p(id, at)
) f
order by f.at desc, f.id desc ${cut}`;
  const { rows } = await scope.executor.query<{ id: string }>({ text, values: given.values });
  return rows.map(({ id }) => id);
};

/** Counts no further than anybody can reach. */
const count = async (scope: OrganizationScope, search: ArchiveSearch, way: Way, reach: number): Promise<number> => {
  const given = openValues(scope.organizationId);
  const entries = entriesOf(scope, search, given);
  const enough = way === 'walk' ? `limit ${given.add(reach)}` : '';
  const text = `select count(*)::int as total from (${entries} ${enough}) f`;
  const { rows } = await scope.executor.query<{ total: number }>({ text, values: given.values });
  return Math.min(reach, rows[0]!.total);
};

const countOnce = async (scope: OrganizationScope, search: ArchiveSearch, way: Way, reach: number): Promise<number> => {
  const key = JSON.stringify([scope.organizationId, seenGroups(scope), search]);
  const remembered = totals.get(key);
  if (remembered !== undefined) return remembered;
  const total = await count(scope, search, way, reach);
  if (total >= MANY) totals.set(key, total);
  return total;
};

/**
 * The ids of one page, newest first, and how many there are within reach. What goes on is read first, so that a chat that
 * ends in between is found all the same.
 */
export const findThreads = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  place: Place,
): Promise<{ ids: string[]; total: number }> => {
  const pending = search.includePending ? await findPending(scope, search) : { ids: [], times: [] };
  await keepArchive(scope, performance.now() + KEEP_MS);
  return scope.transaction(async (tx) => {
    // How common each fact is decides how it is best found, so each search is planned for itself.
    await tx.executor.query({ text: 'set local plan_cache_mode = force_custom_plan', values: [] });
    const wayTo = await tryNewest(tx, search);
    const ids = await readPage(tx, search, wayTo(place.offset + place.limit), pending, place);
    const total = await countOnce(tx, search, wayTo(place.reach), place.reach);
    return { ids, total: Math.min(place.reach, total + pending.ids.length) };
  });
};
