import { openValues, type Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Period } from './period.ts';
import { andWhere, within } from './read-buckets.ts';
import { selectRollups } from './rollup-ranges.ts';
import { COUNTED, RATED_AGENT } from './tickets.ts';

export interface Rank {
  login: string;
  good: number;
  bad: number;
  total: number;
  /** The share of good ratings, from 0 to 1. */
  score: number;
}

export interface RankingFilters {
  groupId?: number | undefined;
  tag?: string | undefined;
}

/** The whole period as a single bucket. */
const toSingleBucket = ({ buckets, from, to }: Period) => [{ ...buckets[0]!, start: from, end: to }];

/** Deleted agents are not ranked. */
const PEOPLE = `agents p`;
const IS_RANKED = `p.organization_id = $1 and p.kind = 'person' and p.deleted_at is null`;

const rank = async (
  { executor, organizationId }: OrganizationScope,
  ratings: (values: Values) => string,
): Promise<Rank[]> => {
  const params = openValues(organizationId);
  const text = `select s.login, sum(s.good)::int as good, sum(s.bad)::int as bad from (${ratings(params)}) s
    group by s.login having sum(s.good + s.bad) > 0`;
  const { rows } = await executor.query<Omit<Rank, 'total' | 'score'>>({ text, values: params.values });
  return rows
    .map(({ login, good, bad }) => ({ login, good, bad, total: good + bad, score: good / (good + bad) }))
    .sort((a, b) => b.score - a.score || b.total - a.total || (a.login < b.login ? -1 : 1));
};

const fromRollups = (period: Period, values: Values): string =>
  selectRollups(
    toSingleBucket(period),
    values,
    `select p.id as login, c.good, c.bad from ${PEOPLE}
     join chat_rollups c on c.organization_id = $1 and c.dimension = 'a' || p.id and c.resolution = w.resolution
       and c.at >= w.start and c.at < w.stop
     where ${IS_RANKED}`,
  );

const fromFacts = (period: Period, { groupId, tag }: RankingFilters, values: Values): string =>
  `select p.id as login, (f.rating = 'good')::int as good, (f.rating = 'bad')::int as bad
   from chat_facts f
   join chat_agent_facts x on x.organization_id = $1 and x.thread_id = f.thread_id
   join ${PEOPLE} on ${IS_RANKED} and p.id = x.agent_id
   where f.organization_id = $1 and f.rating is not null and ${within('f.started_at', toSingleBucket(period), values)}${andWhere(
     groupId !== undefined && `f.group_ids @> array[${values.add(groupId)}::int]`,
     tag !== undefined && `f.tags @> array[${values.add(tag)}::text]`,
   )}`;

/** The rating of a chat counts for each agent who took part. */
export const rankByChats = (scope: OrganizationScope, period: Period, filters: RankingFilters): Promise<Rank[]> =>
  rank(scope, (values) =>
    filters.groupId === undefined && filters.tag === undefined
      ? fromRollups(period, values)
      : fromFacts(period, filters, values),
  );

export const rankByTickets = (scope: OrganizationScope, period: Period, filters: RankingFilters): Promise<Rank[]> =>
  rank(
    scope,
    (values) =>
      `select p.id as login, (t.rating = 'good')::int as good, (t.rating = 'bad')::int as bad
       from tickets t
       join ${PEOPLE} on ${IS_RANKED} and p.id = ${RATED_AGENT}
       where t.organization_id = $1 and t.rating is not null and ${COUNTED}
         and ${within('t.rated_at', toSingleBucket(period), values)}${andWhere(
           filters.groupId !== undefined && `t.group_ids @> array[${values.add(filters.groupId)}::int]`,
           filters.tag !== undefined && `t.tags @> array[${values.add(filters.tag)}::text]`,
         )}`,
  );
