import { StringDecoder } from 'node:string_decoder';

const MAX_BYTES = 255;
const MAX_EXTENSION_BYTES = 32;
const DEFAULT_NAME = 'file';

// Joiners stay, because several scripts and most emoji need them. Marks that change the reading direction are removed, because
// they hide the real extension.
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;
/** Characters with a special meaning on Windows, such as the stream in `a.exe::$DATA`. */
const RESERVED = /[<>:"|?*]/g;
/** Windows removes trailing dots and spaces; a leading dot hides a file on Unix. */
const EDGES = /^[\s.]+|[\s.]+$/g;

const cutTo = (text: string, bytes: number): string =>
  new StringDecoder('utf8').write(Buffer.from(text).subarray(0, bytes));

const shorten = (name: string): string => {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot) : '';
  const room = MAX_BYTES - Buffer.byteLength(extension);
  if (Buffer.byteLength(extension) > MAX_EXTENSION_BYTES) return cutTo(name, MAX_BYTES).replace(EDGES, '');
  return cutTo(name.slice(0, dot), room) + extension;
};

/** Returns a name that is safe to display, store and save on any system. */
export const cleanFileName = (name: string): string => {
  const visible = name.toWellFormed().normalize('NFC').replace(INVISIBLE, '');
  const last = visible.split(/[/\\]/).at(-1)!;
  return shorten(last.replace(RESERVED, '_').replace(/\s+/g, ' ').replace(EDGES, '')) || DEFAULT_NAME;
};

/** The extension in lowercase. */
export const extensionOf = (name: string): string => {
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1).toLowerCase();
};
