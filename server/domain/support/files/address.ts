import { invalid } from '../../errors.ts';
import type { FileRecord } from './records.ts';

/** The path below the server's public address. The name is there for people; the id alone finds the file. */
export const filePath = ({ organizationId, id, name }: FileRecord): string =>
  `/files/${organizationId}/${id}/${encodeURIComponent(name)}`;

export type Thumbnail = 'thumbnail' | 'thumbnail2x';

export const thumbnailPath = ({ organizationId, id }: FileRecord, which: Thumbnail): string =>
  `/files/${organizationId}/${id}/${which}/picture.webp`;

const ID = /^[0-9a-f]{32}$/;

export const isFileId = (text: string): boolean => ID.test(text);

export interface FileAddress {
  /** As a client sent it back to us. */
  url: string;
  publicUrl: string;
  organizationId: string;
}

/** The id of an upload of this organization from its URL; any other URL is refused. */
export const readFileAddress = ({ url, publicUrl, organizationId }: FileAddress): string => {
  const base = new URL(`${publicUrl.replace(/\/+$/, '')}/files/${organizationId}/`).href;
  const href = URL.parse(url)?.href;
  const [id, name, ...more] = href?.startsWith(base) ? href.slice(base.length).split('/') : [];
  if (id === undefined || !isFileId(id) || !name || more.length > 0)
    throw invalid('url', 'is not the URL of an uploaded file');
  return id;
};
