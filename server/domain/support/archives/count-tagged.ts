import type { OrganizationScope } from '../../scope.ts';
import { getFilterFacts, getGroupFacts } from './facts.ts';

/** A tag, optionally limited to chats of one group. */
export interface TagFilter {
  name: string;
  groupId?: number | undefined;
}

// The bitmaps of a group are looked up per day, because a join would read the bitmaps of all facts.
const COUNT_ENDED = `
select x.ordinal, coalesce(c.found, 0)::int as found
from unnest($2::bigint[], $3::bigint[]) with ordinality x(tag, in_group, ordinal)
cross join lateral (
  select sum(bit_count(case when x.in_group is null then t.bitmap else t.bitmap & (
    select g.bitmap from archive_bitmaps g
    where g.organization_id = $1 and g.fact = x.in_group and g.day = t.day and g.part = t.part) end)) as found
  from archive_bitmaps t where t.organization_id = $1 and t.fact = x.tag
) c`;

const COUNT_ACTIVE = `
select x.ordinal, count(*)::int as found
from unnest($2::text[], $3::int[]) with ordinality x(name, group_id, ordinal)
join threads t on t.organization_id = $1 and t.active and x.name = any (t.tags)
  and (x.group_id is null or x.group_id = any (t.group_ids))
group by x.ordinal`;

/** Counts the ended and active chats with each tag. */
export const countTagged = async (scope: OrganizationScope, tags: TagFilter[]): Promise<number[]> => {
  const { organizationId, executor } = scope;
  await scope.services.projections.applyPending(organizationId, 'archive_search');
  const facts = tags.map(({ name }) => getFilterFacts(organizationId, { tags: [name] })[0]!);
  const groups = tags.map(({ groupId }) =>
    groupId === undefined ? null : getGroupFacts(organizationId, [groupId])[0]!,
  );
  const names = tags.map(({ name }) => name);
  const groupIds = tags.map(({ groupId }) => groupId ?? null);
  const ended = { name: 'count_tagged', text: COUNT_ENDED, values: [organizationId, facts, groups] };
  const active = { name: 'count_tagged_going_on', text: COUNT_ACTIVE, values: [organizationId, names, groupIds] };
  const counts = tags.map(() => 0);
  for (const query of [ended, active]) {
    const { rows } = await executor.query<{ ordinal: number; found: number }>(query);
    for (const { ordinal, found } of rows) counts[ordinal - 1]! += found;
  }
  return counts;
};
