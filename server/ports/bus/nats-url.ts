import type { ConnectionOptions } from '@nats-io/transport-node';

/**
 * `nats://[user:password@|token@]host[:port]`, or several separated by commas; `tls://` requires TLS. The library
 * accepts addresses only, so the credentials (of the first URL) are extracted here.
 */
export const readNatsUrl = (text: string): ConnectionOptions => {
  const urls = text.split(',').map((part) => parseUrl(part.trim()));
  const { username, password } = urls[0]!;
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || 4222}`),
    ...(urls.some((url) => url.protocol === 'tls:') && { tls: {} }),
    ...(password && { user: decodeURIComponent(username), pass: decodeURIComponent(password) }),
    ...(username && !password && { token: decodeURIComponent(username) }),
  };
};

const parseUrl = (text: string): URL => {
  const url = URL.parse(text.includes('://') ? text : `nats://${text}`);
  // The text may contain a password, so it is not part of the message.
  if (!url?.hostname || !['nats:', 'tls:'].includes(url.protocol))
    throw new Error('NATS URL must be nats:// or tls://');
  return url;
};
