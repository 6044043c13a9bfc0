import { LRUCache } from 'lru-cache';
import type { Executor } from '#server/storage/executor.ts';
import { findLinkByCode, findLinkByParameters, type LinkRow } from '#server/storage/platform-referrals.ts';

export type Link = LinkRow;

/** The tracking parameters of a long link. */
export interface LinkParameters {
  /** Unchecked text from the link. */
  partnerId: string;
  slug: string;
  /** The product of the landing page. */
  product: string;
}

export interface LinkFinder {
  /** Returns the link only if it is cached. */
  knownByCode(code: string): Link | undefined;
  byCode(code: string): Promise<Link | undefined>;
  byParameters(parameters: LinkParameters): Promise<Link | undefined>;
}

const MAX_CACHED = 20_000;
/** Links never change. What may change, such as the label of an offer, is refreshed in the background. */
const FRESH_MS = 30_000;
const CODE = /^[a-z0-9]{1,32}$/i;
const PARTNER_ID = /^[1-9][0-9]{0,14}$/;
const MAX_SLUG_LENGTH = 200;

export const readPartnerId = (text: string): number | undefined => (PARTNER_ID.test(text) ? Number(text) : undefined);

/** Caches links, so that they keep working while the database is unavailable. */
export const createLinkFinder = (executor: Executor): LinkFinder => {
  const createCache = <Key>(find: (key: Key) => Promise<Link | undefined>) =>
    new LRUCache<string, Link, Key>({
      max: MAX_CACHED,
      ttl: FRESH_MS,
      allowStale: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: (_key, _stale, { context }) => find(context),
    });
  const byCode = createCache((code: string) => findLinkByCode(executor, code));
  const byParameters = createCache((parameters: { partnerId: number; slug: string; product: string }) =>
    findLinkByParameters(executor, parameters),
  );
  /** A second cache for redirects: a plain map is several times faster than the LRU cache. It is cleared periodically. */
  const fresh = new Map<string, Link>();
  let freshUntil = 0;
  const knownByCode = (code: string): Link | undefined => {
    const now = performance.now();
    if (now >= freshUntil) {
      fresh.clear();
      freshUntil = now + FRESH_MS;
    }
    const found = fresh.get(code);
    if (found) return found;
    const link = byCode.get(code, { allowStale: false, noDeleteOnStaleGet: true });
    if (link) fresh.set(code, link);
    return link;
  };
  return {
    knownByCode,
    byCode: async (code) => (CODE.test(code) ? byCode.fetch(code, { context: code }) : undefined),
    byParameters: async ({ partnerId: text, slug, product }) => {
      const partnerId = readPartnerId(text);
      if (partnerId === undefined || slug.length > MAX_SLUG_LENGTH) return undefined;
      return byParameters.fetch(`${partnerId} ${product} ${slug}`, { context: { partnerId, slug, product } });
    },
  };
};
