import type { IncomingMessage } from 'node:http';

const UNVERSIONED = /^\/(customer|agent|configuration)\/(action|rtm)\//;

/** The version of the chat APIs may be sent in a header instead of the URL. */
export const versionedUrl = (request: { url?: string | undefined; headers: IncomingMessage['headers'] }): string => {
  const url = request.url ?? '/';
  if (!UNVERSIONED.test(url)) return url;
  const version = request.headers['x-api-version'];
  return `/v${typeof version === 'string' && /^[\w.]{1,10}$/.test(version) ? version : '0'}${url}`;
};
