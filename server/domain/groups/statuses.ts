import { executorOf } from '#server/storage/scope.ts';
import { invalid } from '../errors.ts';
import { takeTurn } from '../routing/take-turn.ts';
import type { OrganizationScope, Transaction } from '../scope.ts';

export interface GroupStatus {
  id: number;
  /** Somebody there has room; somebody takes chats but nobody has room; nobody takes chats. */
  status: 'online' | 'online_for_queue' | 'offline';
}

const STATUSES = `
with accepting as (
  select a.id, a.max_chats_count > (
    select count(*) from chat_users u
    join chats c on c.organization_id = u.organization_id and c.id = u.chat_id
    where u.organization_id = a.organization_id and u.user_id = a.id and u.kind = 'agent' and u.present and c.active
  ) as has_room
  from agents a
  where a.organization_id = $1 and a.status = 'accepting chats' and a.deleted_at is null
)
select g.id, case when bool_or(accepting.has_room) then 'online' when count(accepting.id) > 0 then 'online_for_queue'
  else 'offline' end as status
from groups g
left join agent_groups m on m.organization_id = g.organization_id and m.group_id = g.id
left join accepting on accepting.id = m.agent_id
where g.organization_id = $1 and ($2::integer[] is null or g.id = any($2))
group by g.id
order by g.id`;

const readStatuses = async (scope: OrganizationScope, groupIds?: number[]): Promise<GroupStatus[]> => {
  const values = [scope.organizationId, groupIds ?? null];
  return (await executorOf(scope.db).query<GroupStatus>({ text: STATUSES, values })).rows;
};

/** Of all groups, or of those named that exist. */
export const listGroupStatuses = (
  scope: OrganizationScope,
  { all, groupIds }: { all: boolean; groupIds?: number[] | undefined },
): Promise<GroupStatus[]> => {
  if (!all && groupIds === undefined) throw invalid('group_ids', 'or `all` is required');
  return readStatuses(scope, all ? undefined : groupIds);
};

/** Does what may change which groups can answer, and says which did. */
export const tellGroupStatuses = async <R>(tx: Transaction<OrganizationScope>, work: () => Promise<R>): Promise<R> => {
  await takeTurn(tx);
  const before = new Map((await readStatuses(tx)).map(({ id, status }) => [id, status]));
  const result = await work();
  const groups = (await readStatuses(tx)).filter(({ id, status }) => before.get(id) !== status);
  const { organizationId } = tx;
  if (groups.length > 0) tx.emit({ type: 'group_statuses_changed', organizationId, groups });
  return result;
};
