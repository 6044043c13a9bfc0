import { sql } from 'kysely';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { requireAdministrator, requireMember } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError } from '../../errors.ts';
import { lockOrganization } from '../../organization-lock.ts';
import type { OrganizationScope } from '../../scope.ts';
import { createGroup, type NewGroup } from './create-group.ts';
import { activeGroups } from './online.ts';
import { setMembers } from './set-members.ts';

export interface GroupRecord {
  id: number;
  name: string;
  language: string;
  /** Logins; absent for the built-in group, which contains every agent. */
  agents?: string[];
  status: AgentStatus;
}

export const groupNotFound = (): DomainError => new DomainError('group_not_found', 'Group not found');

/** The built-in group is the fallback of everything. */
export const assertMayChange = (id: number): void => {
  if (id === ALL_AGENTS) throw new DomainError('forbidden', 'The built-in group cannot be changed');
};

/** Agents who are away do not count as accepting chats. */
const selectGroups = (scope: OrganizationScope) =>
  activeGroups(scope)
    .orderBy('groups.id')
    .select(['groups.id', 'groups.name', 'groups.language'])
    .select(
      sql<string[]>`array(
        select m.agent_id from agent_groups m
        join agents a on a.organization_id = m.organization_id and a.id = m.agent_id
        where m.organization_id = groups.organization_id and m.group_id = groups.id and a.kind = 'person' and a.deleted_at is null
        order by m.agent_id)`.as('agents'),
    )
    .select(
      sql<AgentStatus>`(
        select case when coalesce(bool_or(a.status = 'accepting chats' and not a.away), false) then 'accepting chats'
          when coalesce(bool_or(a.status <> 'offline'), false) then 'not accepting chats' else 'offline' end
        from agents a
        where a.organization_id = groups.organization_id and a.deleted_at is null and exists (
          select from agent_groups m
          where m.organization_id = a.organization_id and m.agent_id = a.id and m.group_id = groups.id))`.as('status'),
    );

type Row = Awaited<ReturnType<ReturnType<typeof selectGroups>['executeTakeFirstOrThrow']>>;

const toGroup = ({ agents, ...group }: Row): GroupRecord => (group.id === ALL_AGENTS ? group : { ...group, agents });

export const listGroups = async (scope: OrganizationScope): Promise<GroupRecord[]> => {
  requireMember(scope.actor);
  return (await selectGroups(scope).execute()).map(toGroup);
};

export const getGroup = async (scope: OrganizationScope, { id }: { id: number }): Promise<GroupRecord> => {
  requireMember(scope.actor);
  const row = await selectGroups(scope).where('groups.id', '=', id).executeTakeFirst();
  if (!row) throw groupNotFound();
  return toGroup(row);
};

export const addGroup = (scope: OrganizationScope, input: NewGroup): Promise<GroupRecord> =>
  scope.transaction(async (tx) => getGroup(tx, { id: await createGroup(tx, input) }));

export interface GroupChange extends Partial<NewGroup> {
  id: number;
}

/** Absent fields stay unchanged. */
export const updateGroup = async (
  scope: OrganizationScope,
  { id, name, language, agents }: GroupChange,
): Promise<GroupRecord> => {
  requireAdministrator(scope.actor);
  assertMayChange(id);
  return scope.transaction(async (tx) => {
    await lockOrganization(tx);
    const group = await activeGroups(tx)
      .where('id', '=', id)
      .select(['name', 'language'])
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!group) throw groupNotFound();
    const set = { name: name ?? group.name, language: language?.toLowerCase() ?? group.language };
    await tx.update('groups').where('id', '=', id).set(set).execute();
    if (agents !== undefined) await setMembers(tx, id, agents);
    return getGroup(tx, { id });
  });
};
