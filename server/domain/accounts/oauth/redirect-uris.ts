import { invalid } from '../../errors.ts';

const MAX_CHARACTERS = 2048;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Checks the URI as written, before any parser normalizes it: `..`, `%2e` and backslashes lead elsewhere. */
const isPlain = (text: string): boolean =>
  text.length <= MAX_CHARACTERS &&
  /^[\x21-\x7e]+$/.test(text) &&
  !/[\\<>"{}|^`]/.test(text) &&
  !/\.\.|%2e|%2f|%5c/i.test(text);

const read = (text: string): URL | undefined => {
  const url = isPlain(text) ? URL.parse(text) : null;
  if (!url || url.username || url.password || text.includes('#') || text.includes('?')) return undefined;
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
  return safe ? url : undefined;
};

/** A registered redirect URI must use https, or http on localhost. */
export const checkRedirectUri = (text: string, field: string): string => {
  const url = read(text);
  if (!url) throw invalid(field, 'must be an https URL without query, fragment, user name or `..`');
  return url.href;
};

/**
 * The whole URI must be equal. For confidential clients, whose secret protects the code, the path may also be below the
 * registered one, which existing clients rely on.
 */
export const matchesRedirectUri = (
  requested: string,
  { redirectUris, isPublic }: { redirectUris: readonly string[]; isPublic: boolean },
): boolean => {
  const url = read(requested);
  return (
    url !== undefined &&
    redirectUris.some((one) => {
      const { href, origin, pathname } = new URL(one);
      if (isPublic) return url.href === href;
      const folder = pathname.endsWith('/') ? pathname : `${pathname}/`;
      return url.origin === origin && (url.pathname === pathname || url.pathname.startsWith(folder));
    })
  );
};
