import type { ContentStore } from '../../files/content-store.ts';
import type { OrganizationScope } from '../../scope.ts';
import { expiryOf, removeContent } from './records.ts';

const MAX_PER_BATCH = 100;

/**
 * Deletes a batch of unused uploads and returns their number. The content is deleted first, under the row lock: after
 * an interruption the row remains for the next run, and two processes never delete the same file.
 */
export const removeExpiredFiles = (scope: OrganizationScope, store: ContentStore): Promise<number> =>
  scope.transaction(async (tx) => {
    const rows = await tx
      .from('files')
      .where('usedAt', 'is', null)
      .where('createdAt', '<=', expiryOf(tx.now()))
      .orderBy('createdAt')
      .limit(MAX_PER_BATCH)
      .select(['id', 'storageKey', 'thumbnailKey', 'thumbnail2xKey'])
      .forUpdate()
      .skipLocked()
      .execute();
    for (const row of rows) await removeContent(store, row);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await tx.remove('files').where('id', 'in', ids).execute();
    return rows.length;
  });
