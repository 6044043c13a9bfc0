import { invalid } from '../errors.ts';
import { extensionOf } from './file-name.ts';
import { isProgram } from './programs.ts';

export interface FileStart {
  /** The first bytes or the whole content. */
  head: Uint8Array;
  name: string;
  /** The declared type, used only where the content is ambiguous. */
  declaredType: string;
}

export interface FileKind {
  contentType: string;
  /** The type could run scripts when displayed, so it is only downloaded. */
  downloadOnly: boolean;
}

/** The number of bytes needed for detection. */
export const HEAD_BYTES = 64 * 1024;

const UNKNOWN = 'application/octet-stream';
const MAX_DETECTOR_BYTES = 1024 * 1024;

const TEXTS: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  md: 'text/markdown',
  css: 'text/css',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  eml: 'message/rfc822',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  xht: 'application/xhtml+xml',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  xsl: 'application/xml',
};

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const OPEN = 'application/vnd.oasis.opendocument';
/** Container formats, which the file name distinguishes when the content does not. */
const CONTAINED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'application/zip': {
    docx: `${OFFICE}.wordprocessingml.document`,
    xlsx: `${OFFICE}.spreadsheetml.sheet`,
    pptx: `${OFFICE}.presentationml.presentation`,
    odt: `${OPEN}.text`,
    ods: `${OPEN}.spreadsheet`,
    odp: `${OPEN}.presentation`,
    epub: 'application/epub+zip',
  },
  'application/x-cfb': {
    doc: 'application/msword',
    xls: 'application/vnd.ms-excel',
    ppt: 'application/vnd.ms-powerpoint',
    msg: 'application/vnd.ms-outlook',
  },
};

const MARKUP_TYPE = /^text\/html$|[/+]xml$/;
const MARKUP_EXTENSION = /^(?:[xsm]?html?|xht|mht|mhtml|svgz?|xml|xslt?|rdf|atom|rss)$/;
const MARKUP_START = /^<(?:!doctype|!--|\?xml|[a-z][a-z0-9:-]*[\s/>])/i;
const ESCAPE = 27;

/** Whitespace and escape sequences of colored logs are allowed in texts. */
const isControl = (code: number): boolean => code < 9 || (code > 13 && code < 32 && code !== ESCAPE);

/** The beginning of a text in any encoding; undefined for binary content. */
const readText = (head: Uint8Array): string | undefined => {
  const wide = { '255,254': 'utf-16le', '254,255': 'utf-16be' }[head.subarray(0, 2).join()];
  const text = new TextDecoder(wide ?? 'latin1').decode(head).replace(/^\u00EF\u00BB\u00BF/, '');
  for (let at = 0; at < text.length; at++) if (isControl(text.charCodeAt(at))) return undefined;
  return text;
};

const detectType = async (head: Uint8Array): Promise<string | undefined> => {
  const { fileTypeFromBuffer } = await import('file-type');
  // Truncated content of a known format counts as unknown.
  const found = await fileTypeFromBuffer(head, { maxBufferSize: MAX_DETECTOR_BYTES }).catch(() => undefined);
  return found?.mime.split(';')[0];
};

const textType = (text: string, extension: string): string => {
  const start = text.trimStart();
  if (!MARKUP_START.test(start)) return TEXTS[extension] ?? 'text/plain';
  if (/<html[\s>]/i.test(start)) return 'text/html';
  if (/<svg[\s>]/i.test(start)) return 'image/svg+xml';
  return /^<\?xml/i.test(start) ? 'application/xml' : 'text/html';
};

/** Video containers may hold audio only, as in voice messages, which only the sender knows. */
const binaryType = (detected: string, extension: string, declared: string): string =>
  detected.replace(/^video/, 'audio') === declared.toLowerCase()
    ? declared.toLowerCase()
    : (CONTAINED[detected]?.[extension] ?? detected);

/** Determines the type of a file from its content. Rejects programs and scripts regardless of their names. */
export const sniffFile = async ({ head, name, declaredType }: FileStart): Promise<FileKind> => {
  const extension = extensionOf(name);
  const text = readText(head);
  const found = await detectType(head);
  // Windows programs are recognized by two letters, so texts that begin with these are excluded.
  const detectedType = text !== undefined && found === 'application/x-msdownload' ? undefined : found;
  if (isProgram({ extension, detectedType, text })) throw invalid('file', 'must not be a program or a script');
  const isText = text !== undefined && (detectedType === undefined || detectedType === 'application/xml');
  const contentType = isText ? textType(text, extension) : binaryType(detectedType ?? UNKNOWN, extension, declaredType);
  return { contentType, downloadOnly: MARKUP_TYPE.test(contentType) || MARKUP_EXTENSION.test(extension) };
};
