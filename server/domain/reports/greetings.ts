import type { Values } from '../chats/page-sql.ts';
import type { OrganizationScope } from '../scope.ts';
import type { Bucket } from './buckets.ts';
import type { Period } from './period.ts';
import { also, readBuckets, within } from './read-buckets.ts';

export interface GreetingFilters {
  groupId?: number | undefined;
  greetingId?: number | undefined;
  /** Counts this goal alone. */
  goalId?: number | undefined;
  /** Greetings that led to a chat with this tag. */
  tag?: string | undefined;
}

export interface GreetingSums {
  displayed: number;
  accepted: number;
  goals: number;
}

const displays = ({ groupId, greetingId, tag }: GreetingFilters, buckets: Bucket[], values: Values): string =>
  `d.organization_id = $1 and ${within('d.displayed_at', buckets, values)}${also(
    groupId !== undefined && `d.group_id = ${values.add(groupId)}`,
    greetingId !== undefined && `d.greeting_id = ${values.add(greetingId)}`,
    tag !== undefined &&
      `exists (select from chat_facts f where f.organization_id = $1 and f.greeting_display_id = d.id
        and f.tags @> array[${values.add(tag)}::text])`,
  )}`;

/** Goals of the visit that came after the greeting was accepted; each is owed to the last greeting before it. */
const goalsAfter = (filters: GreetingFilters, buckets: Bucket[], values: Values): string =>
  `select d.displayed_at as at from greeting_displays d
   join goal_hits h on h.organization_id = $1 and h.visit_id = d.visit_id and h.reached_at >= d.accepted_at
   where d.accepted_at is not null and ${displays(filters, buckets, values)}${also(
     filters.goalId !== undefined && `h.goal_id = ${values.add(filters.goalId)}`,
   )} and not exists (
     select from greeting_displays l where l.organization_id = $1 and l.visit_id = d.visit_id
       and l.accepted_at <= h.reached_at and (l.accepted_at, l.id) > (d.accepted_at, d.id))`;

/** What was shown in each bucket, and what came of it, whenever it came. */
export const sumGreetings = async (
  scope: OrganizationScope,
  { buckets }: Period,
  filters: GreetingFilters,
): Promise<GreetingSums[]> => {
  const [shown, reached] = await Promise.all([
    readBuckets<{ displayed: number; accepted: number }>(scope, buckets, (values) => ({
      columns: 'count(*)::int as displayed, count(s.accepted_at)::int as accepted',
      rows: `select d.displayed_at as at, d.accepted_at from greeting_displays d where ${displays(filters, buckets, values)}`,
    })),
    readBuckets<{ goals: number }>(scope, buckets, (values) => ({
      columns: 'count(*)::int as goals',
      rows: goalsAfter(filters, buckets, values),
    })),
  ]);
  return buckets.map((_, n) => ({
    displayed: shown[n]?.displayed ?? 0,
    accepted: shown[n]?.accepted ?? 0,
    goals: reached[n]?.goals ?? 0,
  }));
};
