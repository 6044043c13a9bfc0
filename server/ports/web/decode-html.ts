import { parseHead, readCharset } from './parse-head.ts';

/** Browsers also look for the charset only at the beginning of a page. */
const PRESCAN_BYTES = 4096;

/** Decodes a page by its byte order mark, its header or its declared charset, in this order. */
export const decodeHtml = (bytes: Buffer, contentType: string | undefined): string => {
  const label = charsetOfByteOrderMark(bytes) ?? readCharset(contentType) ?? charsetInside(bytes) ?? 'utf-8';
  return openDecoder(label).decode(bytes);
};

const charsetOfByteOrderMark = (bytes: Buffer): string | undefined => {
  const start = bytes.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('feff')) return 'utf-16be';
  return start.startsWith('fffe') ? 'utf-16le' : undefined;
};

const charsetInside = (bytes: Buffer): string | undefined => {
  const { charset } = parseHead(bytes.toString('latin1', 0, PRESCAN_BYTES));
  // A readable charset tag proves that the page is not UTF-16.
  return charset && /^\s*utf-?16/i.test(charset) ? 'utf-8' : charset;
};

const openDecoder = (label: string): TextDecoder => {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
};
