import { lookup, Resolver } from 'node:dns/promises';

/** All addresses of a name. May go on after the signal: nobody waits for it any more. */
export type Lookup = (name: string, signal: AbortSignal) => Promise<string[]>;

/**
 * Asks the name servers without the system's help: the system's way holds one of few threads, shared with files and
 * passwords, for as long as a stranger's name server keeps silent.
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

/** Knows the names of the local network too: `/etc/hosts`, search domains. */
export const lookUpBySystem: Lookup = async (name) => {
  const found = await lookup(name, { all: true });
  return found.map(({ address }) => address);
};
