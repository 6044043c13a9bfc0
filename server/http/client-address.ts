import type { IncomingMessage } from 'node:http';
import proxyaddr from '@fastify/proxy-addr';

/** Who is at the other end: the connection's address, or what a proxy of ours says in `X-Forwarded-For`. */
export const createClientAddress = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyaddr.compile([...trustedProxies]);
  return (request) => proxyaddr(request, trust) ?? '';
};

/** Whether a proxy of ours says, in so many words, that the client reached it over HTTPS. */
export const createSaysHttps = (trustedProxies: readonly string[]): ((request: IncomingMessage) => boolean) => {
  const trust = proxyaddr.compile([...trustedProxies]);
  return ({ headers, socket }) => headers['x-forwarded-proto'] === 'https' && trust(socket.remoteAddress ?? '', 0);
};
