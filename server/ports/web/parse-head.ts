import { decodeEntities } from './entities.ts';

export interface Head {
  title?: string;
  /** By `name` or `property` in lower case; the first one counts. */
  meta: Map<string, string>;
  charset?: string;
}

interface Tag {
  /** In lower case, including the slash of an end tag. */
  name: string;
  attributes: Map<string, string>;
  /** The position after the tag. */
  end: number;
}

const TAG_NAME = /\/?[a-z][^\s/>]*/iy;
const BETWEEN = /[\s/]*/y;
const SPACE = /\s*/y;
const ATTRIBUTE_NAME = /=?[^\s/>=]*/y;
const BARE_VALUE = /[^\s>]*/y;
const CHARSET = /charset\s*=\s*["']?([^\s"';,]+)/i;

/** Elements whose content is text up to their end tag. */
const TEXT_ENDS: Record<string, RegExp> = {
  title: /<\/title/gi,
  script: /<\/script/gi,
  style: /<\/style/gi,
  textarea: /<\/textarea/gi,
};

/**
 * Parses a page up to its body as leniently as browsers do. Each step continues where the last one ended, so the time
 * is linear in the length of the page for any input.
 */
export const parseHead = (html: string): Head => {
  const head: Head = { meta: new Map() };
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const next = html.charAt(at + 1);
    if (next === '!' || next === '?') {
      at = findEnd(html, at, html.startsWith('<!--', at) ? '-->' : '>');
      if (at === -1) break;
      continue;
    }
    const nameEnd = skip(TAG_NAME, html, at + 1);
    if (nameEnd === at + 1) {
      at += 1;
      continue;
    }
    const tag = readTag(html, at + 1, nameEnd);
    if (!tag || tag.name === 'body') break;
    at = tag.end;
    if (tag.name === 'meta') noteMeta(head, tag.attributes);
    if (!Object.hasOwn(TEXT_ENDS, tag.name)) continue;
    const textEnd = search(TEXT_ENDS[tag.name]!, html, at);
    if (textEnd === -1) break;
    if (tag.name === 'title') head.title ??= decodeEntities(html.slice(at, textEnd));
    at = textEnd;
  }
  return head;
};

export const readCharset = (contentType: string | undefined): string | undefined => contentType?.match(CHARSET)?.[1];

const noteMeta = (head: Head, attributes: Map<string, string>) => {
  const content = attributes.get('content');
  head.charset ??= attributes.get('charset');
  if (attributes.get('http-equiv')?.toLowerCase() === 'content-type') head.charset ??= readCharset(content);
  if (content === undefined) return;
  for (const name of [attributes.get('property'), attributes.get('name')]) {
    const key = name?.trim().toLowerCase();
    if (key && !head.meta.has(key)) head.meta.set(key, decodeEntities(content));
  }
};

/** Undefined if the page ends inside the tag. */
const readTag = (html: string, nameStart: number, nameEnd: number): Tag | undefined => {
  const attributes = new Map<string, string>();
  for (let at = skip(BETWEEN, html, nameEnd); at < html.length; at = skip(BETWEEN, html, at)) {
    if (html.charAt(at) === '>') return { name: html.slice(nameStart, nameEnd).toLowerCase(), attributes, end: at + 1 };
    const end = skip(ATTRIBUTE_NAME, html, at);
    const name = html.slice(at, end).toLowerCase();
    const value = readValue(html, skip(SPACE, html, end));
    if (!value) return undefined;
    if (!attributes.has(name)) attributes.set(name, value.text);
    at = value.end;
  }
  return undefined;
};

/** Undefined if a quote is not closed. */
const readValue = (html: string, at: number): { text: string; end: number } | undefined => {
  if (html.charAt(at) !== '=') return { text: '', end: at };
  const start = skip(SPACE, html, at + 1);
  const quote = html.charAt(start);
  if (quote !== '"' && quote !== "'") {
    const end = skip(BARE_VALUE, html, start);
    return { text: html.slice(start, end), end };
  }
  const end = html.indexOf(quote, start + 1);
  return end === -1 ? undefined : { text: html.slice(start + 1, end), end: end + 1 };
};

const findEnd = (html: string, from: number, terminator: string): number => {
  // `<!-->` is a complete comment.
  const found = html.indexOf(terminator, from + 2);
  return found === -1 ? -1 : found + terminator.length;
};

const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

const search = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.index ?? -1;
};
