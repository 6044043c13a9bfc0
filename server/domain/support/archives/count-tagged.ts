import type { OrganizationScope } from '../../scope.ts';
import { groupFacts, wantedFacts } from './facts.ts';

/** A tag; with a group, only where it was given to a chat of that group. */
export interface Tagged {
  name: string;
  groupId?: number | undefined;
}

// The bitmaps of a group are looked up day by day: a join would read those of all facts.
const COUNT = `
select x.place, coalesce(c.found, 0)::int as found
from unnest($2::bigint[], $3::bigint[]) with ordinality x(tag, in_group, place)
cross join lateral (
  select sum(bit_count(case when x.in_group is null then t.bitmap else t.bitmap & (
    select g.bitmap from archive_bitmaps g
    where g.organization_id = $1 and g.fact = x.in_group and g.day = t.day and g.part = t.part) end)) as found
  from archive_bitmaps t where t.organization_id = $1 and t.fact = x.tag
) c`;

const GOING_ON = `
select x.place, count(*)::int as found
from unnest($2::text[], $3::int[]) with ordinality x(name, group_id, place)
join threads t on t.organization_id = $1 and t.active and x.name = any (t.tags)
  and (x.group_id is null or x.group_id = any (t.group_ids))
group by x.place`;

/** How many chats have each tag, those that go on as well. */
export const countTagged = async (scope: OrganizationScope, tags: Tagged[]): Promise<number[]> => {
  const { organizationId, executor } = scope;
  await scope.services.projections.applyPending(organizationId, 'archive_search');
  const facts = tags.map(({ name }) => wantedFacts(organizationId, { tags: [name] })[0]!);
  const groups = tags.map(({ groupId }) => (groupId === undefined ? null : groupFacts(organizationId, [groupId])[0]!));
  const names = tags.map(({ name }) => name);
  const groupIds = tags.map(({ groupId }) => groupId ?? null);
  const ended = { name: 'count_tagged', text: COUNT, values: [organizationId, facts, groups] };
  const goingOn = { name: 'count_tagged_going_on', text: GOING_ON, values: [organizationId, names, groupIds] };
  const counts = tags.map(() => 0);
  for (const asked of [ended, goingOn]) {
    const { rows } = await executor.query<{ place: number; found: number }>(asked);
    for (const { place, found } of rows) counts[place - 1]! += found;
  }
  return counts;
};
