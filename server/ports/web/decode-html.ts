import { readCharset, scanHead } from './scan-head.ts';

/** A page names its charset early, or browsers would not heed it either. */
const PRESCAN_BYTES = 4096;

/** The text of a page in whatever charset it says it has; the mark at its beginning counts most, then the header. */
export const decodeHtml = (bytes: Buffer, contentType: string | undefined): string => {
  const label = charsetOfMark(bytes) ?? readCharset(contentType) ?? charsetInside(bytes) ?? 'utf-8';
  return openDecoder(label).decode(bytes);
};

const charsetOfMark = (bytes: Buffer): string | undefined => {
  const start = bytes.toString('hex', 0, 3);
  if (start === 'efbbbf') return 'utf-8';
  if (start.startsWith('feff')) return 'utf-16be';
  return start.startsWith('fffe') ? 'utf-16le' : undefined;
};

const charsetInside = (bytes: Buffer): string | undefined => {
  const { charset } = scanHead(bytes.toString('latin1', 0, PRESCAN_BYTES));
  // Had it been UTF-16, the tag that says so could not have been read.
  return charset && /^\s*utf-?16/i.test(charset) ? 'utf-8' : charset;
};

const openDecoder = (label: string): TextDecoder => {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
};
