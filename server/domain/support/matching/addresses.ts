import { domainToUnicode } from 'node:url';
import { createSubstringSearch } from './create-substring-search.ts';
import { foldText } from './texts.ts';

/** Longer URLs are compared by their beginning. */
const MAX_CHARACTERS = 4096;

const ORIGIN = /^(?:(?:https?:)?\/\/)?(?:www\.)?/;
const DEFAULT_PORT = /:(?:80|443)$/;

/** A URL or a part of one, prepared for repeated comparison. */
export interface Address {
  /** The original text, folded. */
  full: string;
  /** The original text without scheme and `www.` */
  bare: string;
  host: string;
  /** Path, query and route after the host. */
  path: string;
  /** Host and path without default port, trailing slashes and fragment. */
  plain: string;
  /** Like `plain`, but with a slash before the query. */
  slashed: string;
}

/** Decodes escapes such as `%C3%A9`; a text with an invalid escape stays unchanged. */
const decode = (text: string): string => {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
};

const cutAt = (text: string, separator: string): [before: string, rest: string] => {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
};

const withoutClosingSlashes = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
};

/** `#/cart` and `#!cart` are routes of single-page apps; other fragments are positions within a page. */
const routeOf = (fragment: string): string => (/^#[/!]/.test(fragment) ? withoutClosingSlashes(fragment) : '');

/** Browsers report `xn--…`, but people write `müller.example`. */
const readableHost = (host: string): string => (host.includes('xn--') && domainToUnicode(host)) || host;

export const readAddress = (text: string): Address => {
  const full = foldText(decode(text.slice(0, MAX_CHARACTERS))).slice(0, MAX_CHARACTERS);
  const bare = full.replace(ORIGIN, '');
  const [beforeFragment, fragment] = cutAt(bare, '#');
  const [beforeQuery, query] = cutAt(beforeFragment, '?');
  const [authority, path] = cutAt(beforeQuery, '/');
  const host = readableHost(authority.replace(DEFAULT_PORT, ''));
  const folders = withoutClosingSlashes(path);
  const rest = (query === '?' ? '' : query) + routeOf(fragment);
  return {
    ...{ full, bare, host },
    path: folders + rest,
    plain: host + folders + rest,
    slashed: `${host}${folders}/${rest}`,
  };
};

export interface AddressMatcher {
  /**
   * Whether the page is the one meant. Case, scheme, `www.`, default ports, trailing slashes, escapes and fragments are
   * ignored; queries are not. A value such as `/pricing` matches this path on any host.
   */
  isPage(page: Address): boolean;
  /** The texts used for ordering comparisons, without origin and trailing slashes. */
  text: string;
  partOf(page: Address): string;
  /** Whether the page contains the value. A value with scheme or `www.` must match at the beginning. */
  isPart(page: Address): boolean;
}

const spellingsOf = ({ plain, slashed }: Address): string[] =>
  slashed.startsWith(plain) ? [slashed] : [plain, slashed];

/** Prepares a URL or a part of one for comparison with pages. */
export const createAddressMatcher = (text: string): AddressMatcher => {
  const { full, bare, path, plain } = readAddress(text);
  const inFull = createSubstringSearch(full);
  const inSpelling = bare === full ? createSubstringSearch(bare) : (spelling: string) => spelling.startsWith(bare);
  const onAnyHost = bare.startsWith('/');
  const isPage = (page: Address): boolean =>
    onAnyHost ? page.host !== '' && page.path === path : page.plain === plain;
  return {
    isPage,
    text: onAnyHost ? path : plain,
    partOf: (page) => (onAnyHost ? page.path : page.plain),
    isPart: (page) =>
      isPage(page) || (full !== '' && inFull(page.full)) || (bare !== '' && spellingsOf(page).some(inSpelling)),
  };
};
