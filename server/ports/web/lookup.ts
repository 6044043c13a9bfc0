import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name. May continue after the signal, but the result is ignored. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Queries the name servers directly: the system resolver would block one of few threads, shared with file access and
 * password hashing, for as long as a name server does not answer.
 */
export const createNameServerLookup =
  (servers?: string[]): Lookup =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    signal.addEventListener('abort', () => resolver.cancel(), { once: true });
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason;
    return [ipv4, ipv6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };

/** Also resolves names of the local network: `/etc/hosts`, search domains. */
export const lookUpBySystem: Lookup = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};
