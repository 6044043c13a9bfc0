import { invalid } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';
import { isFileId } from './address.ts';
import { expiryOf, type FileRecord, toFileRecord } from './records.ts';

/** Needs no permission beyond knowing the id. */
export const findFile = async (scope: OrganizationScope, id: string): Promise<FileRecord | undefined> => {
  if (!isFileId(id)) return undefined;
  const row = await scope
    .from('files')
    .where('id', '=', id)
    .where((where) => where.or([where('usedAt', 'is not', null), where('createdAt', '>', expiryOf(scope.now()))]))
    .selectAll()
    .executeTakeFirst();
  return row && toFileRecord(row);
};

/** A file that this author may send: agents any file of the account, customers their own. */
export const getSendableFile = async (scope: OrganizationScope, id: string): Promise<FileRecord> => {
  const { actor } = scope;
  const file = await findFile(scope, id);
  const isOwn = actor.kind === 'customer' && file?.uploader.kind === 'customer' && file.uploader.id === actor.id;
  if (!file || (actor.kind !== 'agent' && !isOwn))
    throw invalid('url', 'must be a file that you uploaded and that has not expired');
  return file;
};
