import type { UserKind } from './chats.ts';

export interface FilesTable {
  organizationId: string;
  /** 128 random bits. Knowledge of the URL grants access to the file. */
  id: string;
  uploaderKind: UserKind;
  uploaderId: string;
  name: string;
  contentType: string;
  /** Null until the upload is complete. */
  size: number | null;
  width: number | null;
  height: number | null;
  /** Served as a download, never inline. */
  downloadOnly: boolean;
  storageKey: string;
  thumbnailKey: string | null;
  thumbnail2xKey: string | null;
  createdAt: Date;
  /** When an event first referenced the file. Unused files expire. */
  usedAt: Date | null;
}
