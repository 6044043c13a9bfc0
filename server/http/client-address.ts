import type { IncomingMessage } from 'node:http';
import proxyaddr from '@fastify/proxy-addr';

/** The client's address: that of the connection, or the one a trusted proxy reports in `X-Forwarded-For`. */
export const createClientAddress = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const trust = proxyaddr.compile([...trustedProxies]);
  return (request) => proxyaddr(request, trust) ?? '';
};

/** Whether a trusted proxy reports that the client used HTTPS. */
export const createIsForwardedHttps = (trustedProxies: readonly string[]): ((request: IncomingMessage) => boolean) => {
  const trust = proxyaddr.compile([...trustedProxies]);
  return ({ headers, socket }) => headers['x-forwarded-proto'] === 'https' && trust(socket.remoteAddress ?? '', 0);
};
