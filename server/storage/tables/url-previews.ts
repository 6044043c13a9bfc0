import type { ColumnType } from 'kysely';

export interface PreviewImage {
  /** Names the content; also where it is kept. */
  id: string;
  originalUrl: string;
  width: number;
  height: number;
}

export interface UrlPreviewsTable {
  organizationId: string;
  /** A hash of the URL that was asked for. */
  id: string;
  /** Null: there was nothing to show. */
  url: string | null;
  title: string | null;
  description: string | null;
  image: ColumnType<PreviewImage | null, string | null, string | null>;
  fetchedAt: Date;
}
