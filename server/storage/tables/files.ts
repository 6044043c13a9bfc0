import type { UserKind } from './chats.ts';

export interface FilesTable {
  organizationId: string;
  /** 128 random bits: who knows the address may read the file. */
  id: string;
  uploaderKind: UserKind;
  uploaderId: string;
  name: string;
  contentType: string;
  /** Null until the content is there whole. */
  size: number | null;
  width: number | null;
  height: number | null;
  /** Never shown in place, only downloaded. */
  inert: boolean;
  storageKey: string;
  thumbnailKey: string | null;
  thumbnail2xKey: string | null;
  createdAt: Date;
  /** When the first event showed it; a file that none ever shows expires. */
  usedAt: Date | null;
}
