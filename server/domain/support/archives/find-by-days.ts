import { openValues, type Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import { BITMAP_WIDTH, bitmapPart, EMPTY_BITMAP, EVERY_FACT, slotBit } from './bitmap-index.ts';
import { getFilterFacts } from './facts.ts';
import {
  type ArchiveSearch,
  type FoundPage,
  getVisibleGroupFacts,
  type PageWindow,
  startedWithin,
  type ThreadKey,
} from './search.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Days are clamped to 1970 through 9999: no chat is older, and later years have more than four digits. */
const LAST_DAY = Date.UTC(9999, 11, 31);
const toDay = (at: number): string => new Date(Math.min(Math.max(at, 0), LAST_DAY)).toISOString().slice(0, 10);

/** UTC days that are only partly inside the requested range. */
const listPartialDays = ({ from, before }: ArchiveSearch): string[] => [
  ...(from && from.getTime() % DAY_MS !== 0 ? [toDay(from.getTime())] : []),
  ...(before && before.getTime() % DAY_MS !== 0 ? [toDay(before.getTime())] : []),
];

/** Per day, a bitmap of the entries that have all or any of these facts. */
const selectBitmaps = (
  facts: string[],
  how: 'all' | 'any',
  { from, before }: ArchiveSearch,
  { add }: Values,
): string => {
  const days = [
    ...(from ? [`and b.day >= ${add(toDay(from.getTime()))}::date`] : []),
    ...(before ? [`and b.day <= ${add(toDay(before.getTime() - 1))}::date`] : []),
  ];
  return `
  select b.day, b.part, ${how === 'all' ? 'bit_and' : 'bit_or'}(b.bitmap) as bitmap from archive_bitmaps b
  where b.organization_id = $1 and b.fact = any (${add(facts)}::bigint[]) ${days.join(' ')}
  group by b.day, b.part ${how === 'all' ? `having count(*) = ${facts.length}` : ''}`;
};

/** Bitmaps of the entries of partial days that started within the requested range. */
const selectPartialDayBitmaps = (search: ArchiveSearch, edges: string, values: Values): string => `
  select e.day, ${bitmapPart('e.slot')} as part, bit_or(${slotBit('e.slot')}) as bitmap from archive_entries e
  where ${startedWithin(search, values)} and e.day = any (${edges}::date[])
  group by 1, 2`;

/** Per day, a bitmap of the matching entries. */
const selectMatches = (scope: OrganizationScope, search: ArchiveSearch, values: Values): string => {
  const facts = getFilterFacts(scope.organizationId, search);
  const groups = getVisibleGroupFacts(scope);
  const edges = listPartialDays(search);
  const parts = [`wanted as (${selectBitmaps(facts.length > 0 ? facts : [EVERY_FACT], 'all', search, values)})`];
  const bitmaps = ['w.bitmap'];
  const joins: string[] = [];
  if (groups) {
    parts.push(`seen as (${selectBitmaps(groups, 'any', search, values)})`);
    bitmaps.push('s.bitmap');
    joins.push('join seen s on s.day = w.day and s.part = w.part');
  }
  if (edges.length > 0) {
    const days = values.add(edges);
    parts.push(`edge as (${selectPartialDayBitmaps(search, days, values)})`);
    bitmaps.push(`coalesce(e.bitmap, ~ ${EMPTY_BITMAP})`);
    joins.push(
      `left join edge e on e.day = w.day and e.part = w.part where e.day is not null or w.day <> all (${days}::date[])`,
    );
  }
  return `${parts.join(', ')}, fitting as (select w.day, w.part, ${bitmaps.join(' & ')} as bitmap from wanted w ${joins.join(' ')})`;
};

/**
 * One page of the threads that have all facts, and their total. The total comes from the bitmaps; entries are read only for
 * the days on the page.
 */
export const findByDays = async (
  scope: OrganizationScope,
  search: ArchiveSearch,
  { offset, limit, maxTotal }: PageWindow,
): Promise<FoundPage> => {
  const params = openValues(scope.organizationId);
  const [first, end] = [params.add(offset), params.add(offset + limit)];
  const text = `
with ${selectMatches(scope, search, params)}, counted as materialized (
  select c.day, c.part, c.bitmap, (sum(c.n) over (order by c.day desc))::int as so_far, (sum(c.n) over (partition by c.day))::int as n
  from (select f.day, f.part, f.bitmap, bit_count(f.bitmap) as n from fitting f) c where c.n > 0
), shown as materialized (
  select c.day, c.part, c.bitmap, c.so_far - c.n as newer from counted c
  where c.so_far > ${first}::int and c.so_far - c.n < ${end}::int
), entry as (
  select e.thread_id as id, e.started_at as at
  from shown s
  cross join generate_series(0, ${BITMAP_WIDTH - 1}) n
  join archive_entries e on e.organization_id = $1 and e.day = s.day and e.slot = s.part * ${BITMAP_WIDTH} + n
  where get_bit(s.bitmap, n) = 1
  order by e.started_at desc, e.thread_id desc
  limit ${params.add(limit)} offset ${first}::int - (select min(s.newer) from shown s)
)
select c.total, e.id, e.at from (select coalesce(max(c.so_far), 0) as total from counted c) c left join entry e on true
order by e.at desc, e.id desc`;
  const { rows } = await scope.executor.query<{ total: number } & ThreadKey>({ text, values: params.values });
  const found = rows.filter(({ id }) => id !== null).map(({ id, at }) => ({ id, at }));
  return { found, total: Math.min(maxTotal, rows[0]!.total) };
};
