import { domainToUnicode } from 'node:url';
import { seek } from './seek.ts';
import { foldText } from './texts.ts';

/** What is longer is compared by its beginning. */
const MAX_CHARACTERS = 4096;

const ORIGIN = /^(?:(?:https?:)?\/\/)?(?:www\.)?/;
const DEFAULT_PORT = /:(?:80|443)$/;

/** A web address or a part of one, ready to be compared many times. */
export interface Address {
  /** As it was written, folded. */
  full: string;
  /** As it was written, without scheme and `www.` */
  bare: string;
  host: string;
  /** Path, query and route: what follows the host. */
  path: string;
  /** Host and path: without default port, closing slashes and fragment. */
  plain: string;
  /** Plain, but with a slash before the query. */
  slashed: string;
}

/** `%C3%A9` is `é`; a text with an invalid escape stays as it is. */
const decode = (text: string): string => {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
};

const cutAt = (text: string, mark: string): [before: string, rest: string] => {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
};

const withoutClosingSlashes = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
};

/** `#/cart` and `#!cart` are pages of a single-page shop; any other fragment is a place on the same page. */
const routeOf = (fragment: string): string => (/^#[/!]/.test(fragment) ? withoutClosingSlashes(fragment) : '');

/** Browsers report `xn--…`, people write `müller.example`. */
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

export interface SoughtAddress {
  /**
   * Whether people would call a page the one they mean. Case, scheme, `www.`, default ports, closing slashes, escapes
   * and fragments do not count; queries do. What begins with a slash, such as `/pricing`, means that path on any host.
   */
  isPage(page: Address): boolean;
  /** What stands for the sought address where addresses are put in order, and what then stands for a page: without origin and closing slashes. */
  text: string;
  partOf(page: Address): string;
  /** Whether it occurs in an address. What is written with scheme or `www.` has to stand at the beginning. */
  isPart(page: Address): boolean;
}

const spellingsOf = ({ plain, slashed }: Address): string[] =>
  slashed.startsWith(plain) ? [slashed] : [plain, slashed];

/** Reads an address, or a part of one, that pages are to be compared with. */
export const seekAddress = (text: string): SoughtAddress => {
  const { full, bare, path, plain } = readAddress(text);
  const inFull = seek(full);
  const inSpelling = bare === full ? seek(bare) : (spelling: string) => spelling.startsWith(bare);
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
