import type { Values } from '../../page-sql.ts';
import type { OrganizationScope } from '../../scope.ts';
import type { Period } from './period.ts';
import { andWhere, readBuckets } from './read-buckets.ts';
import { type Occurrences, selectOccurrences } from './select-occurrences.ts';

export interface GreetingFilters {
  groupId?: number | undefined;
  greetingId?: number | undefined;
  /** Counts only this goal. */
  goalId?: number | undefined;
  /** Only greetings that led to a chat with this tag. */
  tag?: string | undefined;
}

export interface GreetingSums {
  displayed: number;
  accepted: number;
  goals: number;
}

const greetingDisplays: Occurrences = {
  at: 'd.displayed_at',
  from: 'greeting_displays d where d.organization_id = $1',
  kind: `case when d.accepted_at is null then '' else 'accepted' end`,
  value: '0',
};

/**
 * Goals reached in the visit after the greeting was accepted. A goal is attributed to the greeting accepted last before
 * it.
 */
const greetingGoals: Occurrences = {
  at: 'd.displayed_at',
  from: `greeting_displays d
    join goal_hits h on h.organization_id = $1 and h.visit_id = d.visit_id and h.reached_at >= d.accepted_at
    where d.organization_id = $1 and d.accepted_at is not null and not exists (
      select from greeting_displays l where l.organization_id = $1 and l.visit_id = d.visit_id
        and l.accepted_at <= h.reached_at and (l.accepted_at, l.id) > (d.accepted_at, d.id))`,
  kind: `''`,
  value: '0',
};

const ofDisplays = ({ groupId, greetingId, tag }: GreetingFilters, values: Values): string =>
  andWhere(
    groupId !== undefined && `d.group_id = ${values.add(groupId)}`,
    greetingId !== undefined && `d.greeting_id = ${values.add(greetingId)}`,
    tag !== undefined &&
      `exists (select from chat_facts f where f.organization_id = $1 and f.greeting_display_id = d.id
        and f.tags @> array[${values.add(tag)}::text])`,
  );

/** Greetings displayed in each bucket, with their acceptances and goals at any later time. */
export const sumGreetings = async (
  scope: OrganizationScope,
  { buckets }: Period,
  filters: GreetingFilters,
): Promise<GreetingSums[]> => {
  const { goalId } = filters;
  const [shown, reached] = await Promise.all([
    readBuckets<{ displayed: number; accepted: number }>(scope, buckets, (values) => ({
      columns: `count(*)::int as displayed, count(*) filter (where s.kind = 'accepted')::int as accepted`,
      rows: selectOccurrences(greetingDisplays, buckets, values, ofDisplays(filters, values)),
    })),
    readBuckets<{ goals: number }>(scope, buckets, (values) => {
      const ofGoal = andWhere(goalId !== undefined && `h.goal_id = ${values.add(goalId)}`);
      const rows = selectOccurrences(greetingGoals, buckets, values, ofDisplays(filters, values) + ofGoal);
      return { columns: 'count(*)::int as goals', rows };
    }),
  ]);
  return buckets.map((_, n) => ({
    displayed: shown[n]?.displayed ?? 0,
    accepted: shown[n]?.accepted ?? 0,
    goals: reached[n]?.goals ?? 0,
  }));
};
