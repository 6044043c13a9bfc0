import type { Executor } from '#server/storage/executor.ts';
import { invalid } from '../../errors.ts';
import { expiryOf } from './records.ts';

export interface FileUse {
  organizationId: string;
  fileId: string;
  at: Date;
}

/** Waits for rows that are being removed, and then does not find them. */
const TEXT = `
update files f set used_at = coalesce(f.used_at, u.at)
from (
  select organization_id, id, min(at) as at, min(expiry) as expiry
  from json_to_recordset($1) as t(organization_id uuid, id text, at timestamptz(3), expiry timestamptz(3))
  group by organization_id, id
) u
where f.organization_id = u.organization_id and f.id = u.id and f.size is not null
  and (f.used_at is not null or f.created_at > u.expiry)
returning f.id`;

/**
 * Marks files as used in the transaction that writes the events, so that they do not expire. Fails if one of them is
 * gone.
 */
export const markFilesUsed = async (executor: Executor, uses: FileUse[]): Promise<void> => {
  if (uses.length === 0) return;
  const items = uses.map(({ organizationId, fileId, at }) => ({
    organization_id: organizationId,
    id: fileId,
    at,
    expiry: expiryOf(at),
  }));
  const { rows } = await executor.query({ name: 'mark_files_used', text: TEXT, values: [JSON.stringify(items)] });
  if (rows.length < new Set(uses.map(({ organizationId, fileId }) => `${organizationId} ${fileId}`)).size)
    throw invalid('url', 'must be a file that you uploaded and that has not expired');
};
