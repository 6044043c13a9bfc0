import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '#server/domain/errors.ts';
import { EMBEDDABLE } from './security-headers.ts';

export interface ByteRange {
  start: number;
  /** Inclusive, as in HTTP. */
  end: number;
}

export interface SentFile {
  name: string;
  contentType: string;
  size: number;
  /** Always a download, regardless of its type. */
  downloadOnly: boolean;
  /** Identifies this content, so that it can be cached forever. */
  tag: string;
  /** How long clients may cache it. */
  maxAgeSeconds: number;
  read(range?: ByteRange): Promise<{ stream: Readable } | undefined>;
}

/**
 * Types that browsers may show inline because they cannot contain scripts. Everything else is a download without a
 * type.
 */
const INLINE_TYPES = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/webm',
  'audio/wav',
  'audio/flac',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
]);

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  ...EMBEDDABLE,
} as const;

/** RFC 6266: an ASCII name for old clients and the encoded name of RFC 8187. */
export const contentDisposition = (kind: 'inline' | 'attachment', name: string): string => {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
};

/**
 * Undefined means the whole file. A single range is supported; several ranges and other units are ignored, as the RFC
 * allows.
 */
export const readRange = (header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined => {
  if (header === undefined || !/^bytes=/i.test(header) || header.includes(',')) return undefined;
  const match = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header);
  const [from = '', to = ''] = match?.slice(1) ?? [];
  if (from === '') {
    const last = Number(to);
    return last > 0 && size > 0 ? { start: Math.max(0, size - last), end: size - 1 } : 'unsatisfiable';
  }
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start <= end ? { start, end } : 'unsatisfiable';
};

const matchesEtag = (header: string | undefined, tag: string): boolean =>
  header?.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim())) ?? false;

/** A client that resumes a download names the version it has. If the content has changed, it gets the whole file. */
const rangeOf = ({ method, headers }: FastifyRequest, tag: string, size: number): ReturnType<typeof readRange> => {
  const condition = headers['if-range'];
  if (method !== 'GET' || (condition !== undefined && condition !== tag)) return undefined;
  return readRange(headers.range, size);
};

/** Sends a stored file with headers that prevent its content from running scripts on this origin. */
export const sendFile = async (request: FastifyRequest, reply: FastifyReply, file: SentFile): Promise<FastifyReply> => {
  const tag = `"${file.tag}"`;
  const emptyBody = request.method === 'HEAD' ? Readable.from([]) : undefined;
  reply.headers({
    ...SECURITY_HEADERS,
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': `private, max-age=${file.maxAgeSeconds}, immutable`,
  });
  if (matchesEtag(request.headers['if-none-match'], tag)) return reply.code(304).send(emptyBody);
  const range = rangeOf(request, tag, file.size);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${file.size}`).send();

  const isInline = INLINE_TYPES.has(file.contentType) && !file.downloadOnly;
  const headers = {
    'content-type': isInline ? file.contentType : 'application/octet-stream',
    'content-disposition': contentDisposition(isInline ? 'inline' : 'attachment', file.name),
    'content-length': range ? range.end - range.start + 1 : file.size,
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${file.size}` } : {}),
  };
  if (emptyBody) return reply.headers(headers).send(emptyBody);
  const content = await file.read(range);
  if (!content) throw notFound('File');
  return reply
    .code(range ? 206 : 200)
    .headers(headers)
    .send(content.stream);
};
