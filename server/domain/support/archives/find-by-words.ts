import { LRUCache } from 'lru-cache';
import { openValues, type Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { wantedFacts } from './facts.ts';
import { type ArchiveSearch, type Found, type FoundPage, inTime, type Place, seenGroups } from './search.ts';
import { readQuery, toTerms } from './words.ts';

/** How many of the newest are tried to tell how common it is what somebody looks for. */
const TRIED = 500;
/** What more than this share of the newest have is not looked up in an index: whatever else is asked for is rarer. */
const COMMON = 0.1;
/** A longer walk is worse than looking everything up; of a few that fit by chance nothing follows. */
const MAX_STEPS = 50_000;
const LEAST_FITTING = 5;
/** Many are counted again after a while only: who turns the pages does not wait for it each time. */
const MANY = 1_000;
const REMEMBERED_MS = 30_000;

const totals = new LRUCache<string, number>({ max: 10_000, ttl: REMEMBERED_MS });

/** What must hold for an entry `e`, each condition by itself. */
const conditionsOf = (scope: OrganizationScope, search: ArchiveSearch, { add }: Values): string[] => {
  const { organizationId } = scope;
  const conditions: string[] = [];
  const facts = wantedFacts(organizationId, search);
  if (facts.length > 0) conditions.push(`e.facts @> ${add(facts)}::bigint[]`);
  const groups = seenGroups(scope);
  if (groups) conditions.push(`e.facts && ${add(groups)}::bigint[]`);
  if (search.text === undefined) return conditions;
  const terms = toTerms(organizationId, readQuery(search.text));
  const asked = terms.map((one) => `e.words @@ ${add(one)}::tsquery`);
  // Without any word nothing is found.
  return [...conditions, ...(asked.length > 0 ? asked : ['false'])];
};

/** How many of the newest were tried, how many fit, and how many meet each condition. */
interface Tried {
  tried: number;
  fitting: number;
  meeting: number[];
}

/**
 * The statistics of PostgreSQL take conditions for independent of each other, and are wrong by far where they are not. So the
 * newest are asked.
 */
const tryNewest = async (scope: OrganizationScope, search: ArchiveSearch): Promise<Tried> => {
  const given = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, given);
  const counts = conditions.map((one) => `count(*) filter (where ${one})`);
  const text = `
select count(*)::int as tried, count(*) filter (where ${conditions.join(' and ')})::int as fitting, array[${counts.join(', ')}]::int[] as meeting
from (
  select e.facts, e.words from archive_entries e
  where ${inTime(search, given)} order by e.started_at desc, e.thread_id desc limit ${TRIED}) e`;
  return (await scope.executor.query<Tried>({ text, values: given.values })).rows[0]!;
};

const canWalk = ({ tried, fitting }: Tried, needed: number): boolean =>
  fitting >= LEAST_FITTING && (needed * tried) / fitting <= MAX_STEPS;

/** From the newest on, until there is enough. */
const walkPage = async (scope: OrganizationScope, search: ArchiveSearch, place: Place): Promise<Found[]> => {
  const given = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, given);
  const text = `
select e.thread_id as id, e.started_at as at from archive_entries e
where ${[inTime(search, given), ...conditions].join(' and ')}
order by e.started_at desc, e.thread_id desc limit ${given.add(place.limit)} offset ${given.add(place.offset)}`;
  return (await scope.executor.query<Found & object>({ text, values: given.values })).rows;
};

const walkAll = async (scope: OrganizationScope, search: ArchiveSearch, { reach }: Place): Promise<number> => {
  const given = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, given);
  const text = `select count(*)::int as total from (
  select from archive_entries e where ${[inTime(search, given), ...conditions].join(' and ')}
  order by e.started_at desc limit ${given.add(reach)}) e`;
  return (await scope.executor.query<{ total: number }>({ text, values: given.values })).rows[0]!.total;
};

/** All that fits is looked up, counted and sorted. */
const lookUp = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { tried, meeting }: Tried,
  { limit, offset, reach }: Place,
): Promise<FoundPage> => {
  const given = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, given);
  const isRare = (_: string, n: number): boolean => meeting[n]! <= tried * COMMON;
  const rare = conditions.some(isRare) ? conditions.filter(isRare) : conditions;
  const others = conditions.filter((one) => !rare.includes(one));
  const text = `
with hit as materialized (
  select e.thread_id as id, e.started_at as at${others.length > 0 ? ', e.facts, e.words' : ''} from archive_entries e
  where ${[inTime(search, given), ...rare].join(' and ')}
), fitting as materialized (
  select e.id, e.at from hit e ${others.length > 0 ? `where ${others.join(' and ')}` : ''}
), page as (
  select f.id, f.at from fitting f order by f.at desc, f.id desc limit ${given.add(limit)} offset ${given.add(offset)}
)
select c.total, p.id, p.at from (select count(*)::int as total from fitting) c left join page p on true
order by p.at desc, p.id desc`;
  const { rows } = await scope.executor.query<{ total: number } & Found>({ text, values: given.values });
  const found = rows.filter(({ id }) => id !== null).map(({ id, at }) => ({ id, at }));
  return { found, total: Math.min(reach, rows[0]!.total) };
};

const remember = async (key: string, count: () => Promise<number>): Promise<number> => {
  const remembered = totals.get(key);
  if (remembered !== undefined) return remembered;
  const total = await count();
  if (total >= MANY) totals.set(key, total);
  return total;
};

/** Walks where what is asked for is common, and looks it up where it is rare. */
const find = async (tx: OrganizationScope, search: ArchiveSearch, place: Place): Promise<FoundPage> => {
  const tried = await tryNewest(tx, search);
  if (!canWalk(tried, place.offset + place.limit)) return lookUp(tx, search, tried, place);
  const key = JSON.stringify([tx.organizationId, seenGroups(tx), search]);
  const total = await remember(key, async () =>
    canWalk(tried, place.reach)
      ? walkAll(tx, search, place)
      : (await lookUp(tx, search, tried, { ...place, limit: 0 })).total,
  );
  return { found: await walkPage(tx, search, place), total };
};

/** One page of what has all the words and facts, and how many do. */
export const findByWords = (scope: OrganizationScope, search: ArchiveSearch, place: Place): Promise<FoundPage> =>
  scope.transaction(async (tx) => {
    // How common each word and fact is decides how it is best found, so each search is planned for itself.
    await tx.executor.query({ text: 'set local plan_cache_mode = force_custom_plan', values: [] });
    return find(tx, search, place);
  });
