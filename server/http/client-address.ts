import type { IncomingMessage } from 'node:http';
import proxyaddr from '@fastify/proxy-addr';

/** Who is at the other end: the connection's address, or what a proxy of ours says in `X-Forwarded-For`. */
export const createClientAddress = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trust = proxyaddr.compile([...trustedProxies]);
  return (request) => proxyaddr(request, trust) ?? '';
};
