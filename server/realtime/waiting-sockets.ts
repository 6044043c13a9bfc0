import { networkOf, siteOf } from '#server/http/networks.ts';
import type { Session } from './session.ts';

type WaitingSession = Pick<Session, 'ip' | 'identity'>;

/** Sockets have 30 seconds to log in, and clients need a fraction of one, so few wait at the same time. */
export const MAX_WAITING_PER_NETWORK = 100;
const MAX_WAITING_PER_SITE = 8 * MAX_WAITING_PER_NETWORK;

/** Counts open sockets by address that have not logged in. */
export const createWaitingSockets = (enabled: boolean) => {
  const byNetwork = new Map<string, Set<WaitingSession>>();

  /** Sessions that have logged in since are removed only here, so that logging in costs nothing. */
  const count = (network: string, max: number): number => {
    const found = byNetwork.get(network);
    if (!found || found.size < max) return found?.size ?? 0;
    for (const session of found) if (session.identity !== undefined) found.delete(session);
    return found.size;
  };
  const networksOf = (ip: string): string[] => [networkOf(ip), siteOf(ip) ?? []].flat();

  return {
    isFull: (ip: string): boolean => {
      if (!enabled) return false;
      const [network, site] = networksOf(ip) as [string, string?];
      if (count(network, MAX_WAITING_PER_NETWORK) >= MAX_WAITING_PER_NETWORK) return true;
      return site !== undefined && count(site, MAX_WAITING_PER_SITE) >= MAX_WAITING_PER_SITE;
    },
    add: (session: WaitingSession): void => {
      if (!enabled) return;
      for (const network of networksOf(session.ip)) {
        const found = byNetwork.get(network);
        if (found) found.add(session);
        else byNetwork.set(network, new Set([session]));
      }
    },
    remove: (session: WaitingSession): void => {
      if (!enabled) return;
      for (const network of networksOf(session.ip)) {
        const found = byNetwork.get(network);
        found?.delete(session);
        if (found?.size === 0) byNetwork.delete(network);
      }
    },
  };
};
