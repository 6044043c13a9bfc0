import { invalid } from '../../errors.ts';
import type { FileRecord } from './records.ts';

/** The path below the public URL. The file is found by id; the name is for people. */
export const filePath = ({ organizationId, id, name }: FileRecord): string =>
  `/files/${organizationId}/${id}/${encodeURIComponent(name)}`;

export type Thumbnail = 'thumbnail' | 'thumbnail2x';

export const thumbnailPath = ({ organizationId, id }: FileRecord, which: Thumbnail): string =>
  `/files/${organizationId}/${id}/${which}/picture.webp`;

const ID = /^[0-9a-f]{32}$/;

export const isFileId = (text: string): boolean => ID.test(text);

export interface FileAddress {
  /** A URL as sent by a client. */
  url: string;
  publicUrl: string;
  organizationId: string;
}

/** The file id of a URL of this organization; other URLs are rejected. */
export const readFileAddress = ({ url, publicUrl, organizationId }: FileAddress): string => {
  const base = new URL(`${publicUrl.replace(/\/+$/, '')}/files/${organizationId}/`).href;
  const href = URL.parse(url)?.href;
  const [id, name, ...more] = href?.startsWith(base) ? href.slice(base.length).split('/') : [];
  if (id === undefined || !isFileId(id) || !name || more.length > 0)
    throw invalid('url', 'must be the URL of an uploaded file');
  return id;
};
