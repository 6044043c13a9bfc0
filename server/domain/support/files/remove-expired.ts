import type { ContentStore } from '../../files/content-store.ts';
import type { OrganizationScope } from '../../scope.ts';
import { expiryOf, removeContent } from './records.ts';

const MAX_PER_BATCH = 100;

/**
 * Removes uploads that no event shows, a batch at a time; returns how many. The content goes first, under the row's lock:
 * whoever is interrupted here leaves a row that the next run finds, and two processes never take the same one.
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
