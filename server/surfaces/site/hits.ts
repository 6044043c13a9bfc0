import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#server/context.ts';
import { judgeHit } from '#server/domain/clicks/judge-hit.ts';
import { ageOf, newVisitorId } from '#server/domain/clicks/visitor-id.ts';
import { REPEAT_MS } from '#server/domain/clicks/write-clicks.ts';
import { readVisitor, writeVisitor } from '#server/http/visitor-cookie.ts';

const MOST_IN_MARK = 100;
const MOST_IN_NAME = 512;
const MOST_IN_REFERRER = 1024;

/** What partners add to their links to tell them apart. */
export const MARKS = ['utm_source', 'utm_medium', 'utm_content', 'utm_term'] as const;
export type Marks = Partial<Record<(typeof MARKS)[number], string>>;

const cut = (text: string, most: number): string => (text.length > most ? text.slice(0, most).toWellFormed() : text);

export const readMark = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? cut(value.trim(), MOST_IN_MARK) : '';
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

/** Notes that somebody asked for a campaign's link, whether or not it counts, and makes them known by a cookie. */
export const noteHit = (
  { services, publicUrl }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  link: { partnerId: number; campaignId: number },
): Promise<void> | undefined => {
  const { headers, method, ip, query } = request;
  const clickedAt = services.clock.now();
  const known = readVisitor(request);
  const visitorId = known ?? newVisitorId(clickedAt);
  writeVisitor(reply, visitorId, { tls: publicUrl().startsWith('https:') });
  const userAgent = headers['user-agent'] && cut(headers['user-agent'], MOST_IN_NAME);
  return services.clicks.add({
    partnerId: link.partnerId,
    campaignId: link.campaignId,
    visitorId,
    returning: known !== undefined && ageOf(known, clickedAt) >= REPEAT_MS,
    fingerprint: services.secrets.fingerprint(`${ip} ${userAgent ?? ''}`),
    clickedAt,
    reason: judgeHit({ head: method === 'HEAD', prefetch: isPrefetch(headers), userAgent }),
    userAgent,
    referrer: headers.referer && cut(headers.referer, MOST_IN_REFERRER),
    utmMedium: readMark(query, 'utm_medium'),
    utmContent: readMark(query, 'utm_content'),
    utmTerm: readMark(query, 'utm_term'),
  });
};
