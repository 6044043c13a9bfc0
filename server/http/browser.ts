import type { IncomingHttpHeaders } from 'node:http';
import type { Browser } from '#server/domain/access.ts';

/** Reads the browser, the page and the client address from a request. */
export const readBrowser = (
  { 'user-agent': userAgent, referer: referrer }: IncomingHttpHeaders,
  ip: string,
): Browser => ({ userAgent, referrer, ip });
