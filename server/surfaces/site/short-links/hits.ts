import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '#server/context.ts';
import { judgeHit } from '#server/domain/partners/clicks/judge-hit.ts';
import { ageOf, newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';
import { REPEAT_MS } from '#server/domain/partners/clicks/write-clicks.ts';
import { readVisitor, visitorCookie } from '#server/http/visitor-cookie.ts';

const MAX_MARK_LENGTH = 100;
const MAX_NAME_LENGTH = 512;
const MAX_REFERRER_LENGTH = 1024;

/** What partners add to their links to tell them apart. */
export const MARKS = ['utm_source', 'utm_medium', 'utm_content', 'utm_term'] as const;
export type Marks = Partial<Record<(typeof MARKS)[number], string>>;

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most).toWellFormed() : text);

export const readMark = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? cut(value.trim(), MAX_MARK_LENGTH) : '';
};

export const readMarks = (query: unknown): Marks => {
  const marks: Marks = {};
  for (const name of MARKS) {
    const value = readMark(query, name);
    if (value !== '') marks[name] = value;
  }
  return marks;
};

const FETCHED_AHEAD = /prefetch|prerender|preview/i;

/**
 * Browsers say when they look ahead, and what they fetch a thing for; pictures and frames are no followed links. A program's
 * `Sec-Fetch-Mode: cors` alone is no browser's word.
 */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean => {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  if (purposes.some((purpose) => purpose !== undefined && FETCHED_AHEAD.test(String(purpose)))) return true;
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode } = headers;
  if (dest !== undefined) return dest !== 'document' || (mode !== undefined && mode !== 'navigate');
  return mode !== undefined && mode !== 'navigate' && mode !== 'cors';
};

/** What a request says about who sent it. */
export interface Asking {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  ip: string;
  query: unknown;
}

export interface Noted {
  /** Makes the visitor known. */
  cookie: string;
  /** Ends when there is room for more. */
  crowded: Promise<void> | undefined;
}

/** Notes that somebody asked for a campaign's link, whether or not it counts. */
export const noteHit = (
  { services, publicUrl }: Context,
  asking: Asking,
  link: { partnerId: number; campaignId: number },
): Noted => {
  const { headers, method, ip, query } = asking;
  const clickedAt = services.clock.now();
  const known = readVisitor(asking);
  const visitorId = known ?? newVisitorId(clickedAt);
  const userAgent = headers['user-agent'] && cut(headers['user-agent'], MAX_NAME_LENGTH);
  const crowded = services.clicks.add({
    partnerId: link.partnerId,
    campaignId: link.campaignId,
    visitorId,
    returning: known !== undefined && ageOf(known, clickedAt) >= REPEAT_MS,
    fingerprint: services.secrets.fingerprint(`${ip} ${userAgent ?? ''}`),
    clickedAt,
    reason: judgeHit({ head: method === 'HEAD', prefetch: isPrefetch(headers), userAgent }),
    userAgent,
    referrer: headers.referer && cut(headers.referer, MAX_REFERRER_LENGTH),
    utmMedium: readMark(query, 'utm_medium'),
    utmContent: readMark(query, 'utm_content'),
    utmTerm: readMark(query, 'utm_term'),
  });
  return { cookie: visitorCookie(visitorId, { tls: publicUrl().startsWith('https:') }), crowded };
};
