import { LRUCache } from 'lru-cache';
import { openValues, type Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { getFilterFacts } from './facts.ts';
import {
  type ArchiveSearch,
  type FoundPage,
  getVisibleGroupFacts,
  type PageWindow,
  startedWithin,
  type ThreadKey,
} from './search.ts';
import { readQuery, toTerms } from './words.ts';

/** How many of the newest entries are sampled to estimate how common the matches are. */
const SAMPLE_SIZE = 500;
/**
 * A condition that a larger share of the sample meets is not looked up in an index, because another condition is more
 * selective.
 */
const COMMON_SHARE = 0.1;
/** Longer scans are slower than an index lookup. */
const MAX_SCANNED_ENTRIES = 50_000;
/** With fewer matches in the sample the estimate is unreliable. */
const MIN_SAMPLE_MATCHES = 5;
/** Totals from this size on are cached, so that paging does not count again on each page. */
const MIN_CACHED_TOTAL = 1_000;
const TOTAL_TTL_MS = 30_000;

const totals = new LRUCache<string, number>({ max: 10_000, ttl: TOTAL_TTL_MS });

/** The SQL conditions on an entry `e`, without the time range. */
const conditionsOf = (scope: OrganizationScope, search: ArchiveSearch, { add }: Values): string[] => {
  const { organizationId } = scope;
  const conditions: string[] = [];
  const facts = getFilterFacts(organizationId, search);
  if (facts.length > 0) conditions.push(`e.facts @> ${add(facts)}::bigint[]`);
  const groups = getVisibleGroupFacts(scope);
  if (groups) conditions.push(`e.facts && ${add(groups)}::bigint[]`);
  if (search.text === undefined) return conditions;
  const terms = toTerms(organizationId, readQuery(search.text));
  const requested = terms.map((one) => `e.words @@ ${add(one)}::tsquery`);
  // A text without words matches nothing.
  return [...conditions, ...(requested.length > 0 ? requested : ['false'])];
};

interface Sample {
  /** The size of the sample. */
  tried: number;
  /** How many entries meet all conditions. */
  fitting: number;
  /** How many entries meet each condition. */
  meeting: number[];
}

/**
 * Evaluates the conditions on the newest entries. The statistics of PostgreSQL assume independent conditions, and their
 * estimates are far off for conditions that correlate.
 */
const sampleNewest = async (scope: OrganizationScope, search: ArchiveSearch): Promise<Sample> => {
  const params = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, params);
  const counts = conditions.map((one) => `count(*) filter (where ${one})`);
  const text = `
select count(*)::int as tried, count(*) filter (where ${conditions.join(' and ')})::int as fitting, array[${counts.join(', ')}]::int[] as meeting
from (
  select e.facts, e.words from archive_entries e
  where ${startedWithin(search, params)} order by e.started_at desc, e.thread_id desc limit ${SAMPLE_SIZE}) e`;
  return (await scope.executor.query<Sample>({ text, values: params.values })).rows[0]!;
};

const canScan = ({ tried, fitting }: Sample, needed: number): boolean =>
  fitting >= MIN_SAMPLE_MATCHES && (needed * tried) / fitting <= MAX_SCANNED_ENTRIES;

/** Scans from the newest entry until the page is complete. */
const scanPage = async (scope: OrganizationScope, search: ArchiveSearch, page: PageWindow): Promise<ThreadKey[]> => {
  const params = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, params);
  const text = `
select e.thread_id as id, e.started_at as at from archive_entries e
where ${[startedWithin(search, params), ...conditions].join(' and ')}
order by e.started_at desc, e.thread_id desc limit ${params.add(page.limit)} offset ${params.add(page.offset)}`;
  return (await scope.executor.query<ThreadKey & object>({ text, values: params.values })).rows;
};

const countByScan = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { maxTotal }: PageWindow,
): Promise<number> => {
  const params = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, params);
  const text = `select count(*)::int as total from (
  select from archive_entries e where ${[startedWithin(search, params), ...conditions].join(' and ')}
  order by e.started_at desc limit ${params.add(maxTotal)}) e`;
  return (await scope.executor.query<{ total: number }>({ text, values: params.values })).rows[0]!.total;
};

/** Finds all matches by an index, then counts and sorts them. */
const findByIndex = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { tried, meeting }: Sample,
  { limit, offset, maxTotal }: PageWindow,
): Promise<FoundPage> => {
  const params = openValues(scope.organizationId);
  const conditions = conditionsOf(scope, search, params);
  const isRare = (_: string, n: number): boolean => meeting[n]! <= tried * COMMON_SHARE;
  const rare = conditions.some(isRare) ? conditions.filter(isRare) : conditions;
  const others = conditions.filter((one) => !rare.includes(one));
  const text = `
with hit as materialized (
  select e.thread_id as id, e.started_at as at${others.length > 0 ? ', e.facts, e.words' : ''} from archive_entries e
  where ${[startedWithin(search, params), ...rare].join(' and ')}
), fitting as materialized (
  select e.id, e.at from hit e ${others.length > 0 ? `where ${others.join(' and ')}` : ''}
), page as (
  select f.id, f.at from fitting f order by f.at desc, f.id desc limit ${params.add(limit)} offset ${params.add(offset)}
)
select c.total, p.id, p.at from (select count(*)::int as total from fitting) c left join page p on true
order by p.at desc, p.id desc`;
  const { rows } = await scope.executor.query<{ total: number } & ThreadKey>({ text, values: params.values });
  const found = rows.filter(({ id }) => id !== null).map(({ id, at }) => ({ id, at }));
  return { found, total: Math.min(maxTotal, rows[0]!.total) };
};

const cacheTotal = async (key: string, count: () => Promise<number>): Promise<number> => {
  const cached = totals.get(key);
  if (cached !== undefined) return cached;
  const total = await count();
  if (total >= MIN_CACHED_TOTAL) totals.set(key, total);
  return total;
};

/** Scans for common matches and uses an index for rare ones. */
const find = async (tx: OrganizationScope, search: ArchiveSearch, page: PageWindow): Promise<FoundPage> => {
  const sample = await sampleNewest(tx, search);
  if (!canScan(sample, page.offset + page.limit)) return findByIndex(tx, search, sample, page);
  const key = JSON.stringify([tx.organizationId, getVisibleGroupFacts(tx), search]);
  const total = await cacheTotal(key, async () =>
    canScan(sample, page.maxTotal)
      ? countByScan(tx, search, page)
      : (await findByIndex(tx, search, sample, { ...page, limit: 0 })).total,
  );
  return { found: await scanPage(tx, search, page), total };
};

/** One page of the threads that have all words and facts, and their total. */
export const findByWords = (scope: OrganizationScope, search: ArchiveSearch, page: PageWindow): Promise<FoundPage> =>
  scope.transaction(async (tx) => {
    // The best plan depends on how common each word and fact is, so a generic plan must not be reused.
    await tx.executor.query({ text: 'set local plan_cache_mode = force_custom_plan', values: [] });
    return find(tx, search, page);
  });
