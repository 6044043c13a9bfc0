import type { IncomingHttpHeaders } from 'node:http';
import type { Browser } from '#server/domain/access.ts';

/** What the headers tell about the browser and the page it is on, and the address that it calls from. */
export const readBrowser = (
  { 'user-agent': userAgent, referer: referrer }: IncomingHttpHeaders,
  ip: string,
): Browser => ({ userAgent, referrer, ip });
