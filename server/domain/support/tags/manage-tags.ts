import { requireAdministrator, requireAgent } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { countTagged } from '../archives/count-tagged.ts';
import { assertGroupsExist } from '../groups/online.ts';

export interface TagRecord {
  name: string;
  author: string;
  createdAt: Date;
  groupId: number;
  inChats: number;
  inTickets: number;
}

interface TagRef {
  groupId: number;
  name: string;
}

/** Group 0 counts all uses, other groups their own. */
const ALL = 0;

const LIST = `
with tag as (
  select t.group_id, t.name, t.author_id, t.created_at from tags t
  where t.organization_id = $1 and ($2::int is null or t.group_id = $2) and ($3::text is null or t.name = $3)
), in_tickets as (
  select g.group_id, g.name, count(*)::int as found
  from tickets k cross join unnest(k.tags) used(name) join tag g on g.name = used.name
  where k.organization_id = $1 and k.tags <> '{}' and k.merged_into is null
    and (g.group_id = ${ALL} or g.group_id = any(k.group_ids))
  group by 1, 2
)
select tag.name, tag.author_id as author, tag.created_at as "createdAt", tag.group_id as "groupId",
  coalesce(in_tickets.found, 0) as "inTickets"
from tag
left join in_tickets on in_tickets.group_id = tag.group_id and in_tickets.name = tag.name
order by tag.group_id, tag.name`;

const readTags = async (scope: OrganizationScope, groupId?: number, name?: string): Promise<TagRecord[]> => {
  const values = [scope.organizationId, groupId ?? null, name ?? null];
  const query = { name: 'list_tags', text: LIST, values };
  const { rows } = await scope.executor.query<Omit<TagRecord, 'inChats'>>(query);
  const counts = await countTagged(
    scope,
    rows.map((tag) => ({ name: tag.name, groupId: tag.groupId === ALL ? undefined : tag.groupId })),
  );
  return rows.map((tag, n) => ({ ...tag, inChats: counts[n]! }));
};

/** Lists the suggested tags with their usage counts. */
export const listTags = async (
  scope: OrganizationScope,
  { groupId }: { groupId?: number | undefined },
): Promise<TagRecord[]> => {
  requireAgent(scope.actor);
  if (groupId !== undefined) await assertGroupsExist(scope, [groupId]);
  return readTags(scope, groupId);
};

const assertAuthor = async (scope: OrganizationScope, login: string): Promise<void> => {
  const found = await scope
    .from('agents')
    .where('id', '=', login)
    .where('deletedAt', 'is', null)
    .select('id')
    .executeTakeFirst();
  if (!found) throw invalid('author', 'must be the login of an agent');
};

export const createTag = async (scope: OrganizationScope, input: TagRef & { author: string }): Promise<TagRecord> => {
  requireAdministrator(scope.actor);
  const { groupId } = input;
  const name = input.name.trim();
  const authorId = input.author.toLowerCase();
  return scope.transaction(async (tx) => {
    await assertAuthor(tx, authorId);
    await assertGroupsExist(tx, [groupId]);
    const added = await tx
      .insert('tags', { groupId, name, authorId, createdAt: tx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst();
    if (!added) throw new DomainError('conflict', 'The group already has this tag');
    return (await readTags(tx, groupId, name))[0]!;
  });
};

/** Chats and tickets keep the tag. */
export const deleteTag = async (scope: OrganizationScope, { groupId, name }: TagRef): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numDeletedRows } = await scope
    .remove('tags')
    .where('groupId', '=', groupId)
    .where('name', '=', name.trim())
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('Tag');
};
