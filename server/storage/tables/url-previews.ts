import type { ColumnType } from 'kysely';

export interface PreviewImage {
  /** A content hash, which is also the storage key. */
  id: string;
  originalUrl: string;
  width: number;
  height: number;
}

export interface UrlPreviewsTable {
  organizationId: string;
  /** A hash of the requested URL. */
  id: string;
  /** Null if there is nothing to show. */
  url: string | null;
  title: string | null;
  description: string | null;
  image: ColumnType<PreviewImage | null, string | null, string | null>;
  fetchedAt: Date;
}
