import type { Selectable } from 'kysely';
import type { UserKind } from '#server/storage/tables/chats.ts';
import type { FilesTable } from '#server/storage/tables/files.ts';
import type { ContentStore } from '../../files/content-store.ts';

/** How long an upload is kept until an event uses it. */
export const UNUSED_MILLISECONDS = 24 * 3600 * 1000;

export interface FileRecord {
  organizationId: string;
  id: string;
  uploader: { kind: UserKind; id: string };
  name: string;
  contentType: string;
  size: number;
  /** Always downloaded, never displayed inline. */
  downloadOnly: boolean;
  storageKey: string;
  /** Present for images. */
  image?: { width: number; height: number; thumbnailKey: string; thumbnail2xKey: string };
  createdAt: Date;
  usedAt?: Date;
}

export type FileRow = Selectable<FilesTable>;

/** Undefined while the upload is incomplete. */
export const toFileRecord = (row: FileRow): FileRecord | undefined => {
  if (row.size === null) return undefined;
  const { organizationId, id, name, contentType, size, width, height, downloadOnly, storageKey } = row;
  const { thumbnailKey, thumbnail2xKey, createdAt, usedAt, uploaderKind, uploaderId } = row;
  const isImage = width !== null && height !== null && thumbnailKey !== null && thumbnail2xKey !== null;
  return {
    organizationId,
    id,
    uploader: { kind: uploaderKind, id: uploaderId },
    name,
    contentType,
    size,
    downloadOnly,
    storageKey,
    ...(isImage ? { image: { width, height, thumbnailKey, thumbnail2xKey } } : {}),
    createdAt,
    ...(usedAt ? { usedAt } : {}),
  };
};

/** All storage keys of this file, whether or not the upload was completed. */
export const removeContent = async (
  store: ContentStore,
  file: Pick<FileRow, 'storageKey' | 'thumbnailKey' | 'thumbnail2xKey'>,
): Promise<void> => {
  for (const key of [file.storageKey, file.thumbnailKey, file.thumbnail2xKey]) if (key) await store.remove(key);
};

/** Older uploads have expired unless an event uses them. */
export const expiryOf = (now: Date): Date => new Date(now.getTime() - UNUSED_MILLISECONDS);
