import type { Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Bucket } from './buckets.ts';
import type { Period } from './period.ts';
import { andWhere, readBucketRows } from './read-buckets.ts';
import { type Occurrences, selectOccurrences } from './select-occurrences.ts';

export interface GoalFilters {
  groupId?: number | undefined;
  goalId?: number | undefined;
  /** Only goals reached in a chat with this agent. */
  agentId?: string | undefined;
  /** Only goals reached in a chat with this tag. */
  tag?: string | undefined;
  /** Whether to count tracked sales, or else goals that are not sales trackers. */
  sales: boolean;
  /** Reports only this currency, even if it has no sales. */
  currency?: string | undefined;
}

export interface GoalSums {
  goals: number;
  sales: Record<string, { count: number; value: number }>;
}

/** The kind is the goal id, followed for a sale by a space and the currency, which may be empty. */
const goalHits: Occurrences = {
  at: 'h.reached_at',
  from: 'goal_hits h where h.organization_id = $1',
  kind: `h.goal_id || case when h.sale is null then '' else ' ' || upper(coalesce(h.sale ->> 'currency', '')) end`,
  // Prices are stored as received and may not be numbers.
  value: `case when h.sale ->> 'price' ~ '^\\d{1,15}(\\.\\d{1,9})?$' then (h.sale ->> 'price')::numeric else 0 end`,
};

const CURRENCY = `case when s.kind like '% %' then substr(s.kind, strpos(s.kind, ' ') + 1) end`;
/** A goal reached with order data is a sale, regardless of its type. */
const KIND = { sales: `(s.kind like '% %' or g.type = 'sales_tracker')`, goals: `g.type <> 'sales_tracker'` };

const hits = ({ groupId, goalId, agentId, tag, sales }: GoalFilters, buckets: Bucket[], values: Values): string => {
  const which = andWhere(
    groupId !== undefined && `h.group_id = ${values.add(groupId)}`,
    tag !== undefined &&
      `exists (select from threads t where t.organization_id = $1 and t.id = h.thread_id
         and t.tags @> array[${values.add(tag)}::text])`,
    agentId !== undefined &&
      `exists (select from thread_agents w where w.organization_id = $1 and w.thread_id = h.thread_id
         and w.agent_id = ${values.add(agentId)})`,
  );
  return `select s.at, s.value, ${CURRENCY} as currency
    from (${selectOccurrences(goalHits, buckets, values, which)}) s
    join goals g on g.organization_id = $1 and g.id = split_part(s.kind, ' ', 1)::int
    where ${sales ? KIND.sales : KIND.goals}${andWhere(goalId !== undefined && `g.id = ${values.add(goalId)}`)}`;
};

interface Row {
  currency: string | null;
  count: number;
  value: string;
}

const toSums = (rows: Row[], requestedCurrency: string | undefined): GoalSums => {
  const sales: GoalSums['sales'] =
    requestedCurrency === undefined ? {} : { [requestedCurrency]: { count: 0, value: 0 } };
  for (const { currency, count, value } of rows)
    if (currency !== null && (requestedCurrency ?? currency) === currency)
      sales[currency] = { count, value: Number(value) };
  return { goals: rows.reduce((sum, { count }) => sum + count, 0), sales };
};

/** Reached goals and their sales in each bucket. */
export const sumGoals = async (
  scope: OrganizationScope,
  { buckets }: Period,
  filters: GoalFilters,
): Promise<GoalSums[]> => {
  const rows = await readBucketRows<Row>(scope, buckets, (values) => ({
    columns: 's.currency, count(*)::int as count, sum(s.value)::text as value',
    rows: hits(filters, buckets, values),
    by: 's.currency',
  }));
  const byBucket = Map.groupBy(rows, ({ bucket }) => bucket);
  return buckets.map((_, n) => toSums(byBucket.get(n + 1) ?? [], filters.currency?.toUpperCase()));
};
