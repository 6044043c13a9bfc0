import type { Selectable } from 'kysely';
import type { CannedResponsesTable } from '#server/storage/tables/operations.ts';
import { requireAdministrator, requireAgent } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { notFound } from '../../errors.ts';
import { nextNumber } from '../../next-number.ts';
import type { OrganizationScope } from '../../scope.ts';
import { assertGroupsExist } from '../groups/online.ts';

export interface CannedResponseRecord {
  id: number;
  groupId: number;
  text: string;
  tags: string[];
  createdBy: string;
  createdAt: Date;
  modified?: { by: string; at: Date };
}

const existing = (scope: OrganizationScope) => scope.from('cannedResponses').where('deletedAt', 'is', null).selectAll();

const toRecord = (row: Selectable<CannedResponsesTable>): CannedResponseRecord => ({
  id: row.id,
  groupId: row.groupId,
  text: row.text,
  tags: row.tags,
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  ...(row.modifiedBy !== null && row.modifiedAt ? { modified: { by: row.modifiedBy, at: row.modifiedAt } } : {}),
});

const readTags = (tags: string[]): string[] => [...new Set(tags.map((tag) => tag.trim()))];

/** Lists the canned responses of a group. */
export const listCannedResponses = async (
  scope: OrganizationScope,
  { groupId = ALL_AGENTS }: { groupId?: number | undefined },
): Promise<CannedResponseRecord[]> => {
  requireAgent(scope.actor);
  await assertGroupsExist(scope, [groupId]);
  return (await existing(scope).where('groupId', '=', groupId).orderBy('id').execute()).map(toRecord);
};

export const getCannedResponse = async (
  scope: OrganizationScope,
  { id }: { id: number },
): Promise<CannedResponseRecord> => {
  requireAgent(scope.actor);
  const row = await existing(scope).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Canned response');
  return toRecord(row);
};

export const createCannedResponse = async (
  scope: OrganizationScope,
  { text, tags, groupId = ALL_AGENTS }: { text: string; tags: string[]; groupId?: number | undefined },
): Promise<CannedResponseRecord> => {
  requireAdministrator(scope.actor);
  const { id: createdBy } = requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    await assertGroupsExist(tx, [groupId]);
    const id = await nextNumber(tx, 'cannedResponses');
    const row = { id, groupId, text, tags: readTags(tags), createdBy, createdAt: tx.now() };
    await tx.insert('cannedResponses', row).execute();
    return getCannedResponse(tx, { id });
  });
};

/** Absent fields stay unchanged. A call without changes does not update the modification time. */
export const updateCannedResponse = async (
  scope: OrganizationScope,
  { id, text, tags }: { id: number; text?: string | undefined; tags?: string[] | undefined },
): Promise<CannedResponseRecord> => {
  requireAdministrator(scope.actor);
  const { id: modifiedBy } = requireAgent(scope.actor);
  const change = { ...(text === undefined ? {} : { text }), ...(tags === undefined ? {} : { tags: readTags(tags) }) };
  if (Object.keys(change).length > 0)
    await scope
      .update('cannedResponses')
      .where('id', '=', id)
      .where('deletedAt', 'is', null)
      .set({ ...change, modifiedBy, modifiedAt: scope.now() })
      .execute();
  return getCannedResponse(scope, { id });
};

/** The id is not reused. */
export const deleteCannedResponse = async (scope: OrganizationScope, { id }: { id: number }): Promise<void> => {
  requireAdministrator(scope.actor);
  const { numUpdatedRows } = await scope
    .update('cannedResponses')
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .set({ deletedAt: scope.now() })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('Canned response');
};
