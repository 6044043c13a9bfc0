import { LRUCache } from 'lru-cache';
import { REPEAT_MS } from '#server/domain/partners/clicks/write-clicks.ts';
import { networkOf, siteOf } from './networks.ts';

/** Visitors from one address whose clicks on a link count within an hour. */
const MAX_PER_NETWORK = 5;
const MAX_PER_SITE = 8 * MAX_PER_NETWORK;
const MAX_KEYS = 20_000;

export interface ClickOrigin {
  ip: string;
  campaignId: number;
  /** The visitor's cookie, or what identifies a visitor without one. */
  visitor: string;
  at: Date;
}

export type ClickLimit = (origin: ClickOrigin) => boolean;

/**
 * Whether a visitor is among the first from an address to follow a link within an hour. Names of browsers and cookies
 * can be invented; addresses cannot. Counted in the memory of the process.
 */
export const createClickLimit = (enabled: boolean): ClickLimit => {
  if (!enabled) return () => true;
  const seen = new LRUCache<string, { since: number; visitors: Set<string> }>({ max: MAX_KEYS });
  const isAmong = (max: number, key: string, visitor: string, now: number): boolean => {
    const found = seen.get(key);
    if (!found || now - found.since >= REPEAT_MS) {
      seen.set(key, { since: now, visitors: new Set([visitor]) });
      return true;
    }
    if (found.visitors.size >= max) return found.visitors.has(visitor);
    found.visitors.add(visitor);
    return true;
  };
  return ({ ip, campaignId, visitor, at }) => {
    const now = at.getTime();
    const site = siteOf(ip);
    if (site !== undefined && !isAmong(MAX_PER_SITE, `${campaignId} ${site}`, visitor, now)) return false;
    return isAmong(MAX_PER_NETWORK, `${campaignId} ${networkOf(ip)}`, visitor, now);
  };
};
