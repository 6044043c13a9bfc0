import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '#server/context.ts';
import { findUncountedReason } from '#server/domain/partners/clicks/uncounted-reason.ts';
import { ageOf, newVisitorId } from '#server/domain/partners/clicks/visitor-id.ts';
import { REPEAT_MS } from '#server/domain/partners/clicks/write-clicks.ts';
import { readVisitor, visitorCookie } from '#server/http/visitor-cookie.ts';

const MAX_PARAMETER_LENGTH = 100;
const MAX_NAME_LENGTH = 512;
const MAX_REFERRER_LENGTH = 1024;

export const UTM_PARAMETERS = ['utm_source', 'utm_medium', 'utm_content', 'utm_term'] as const;
export type UtmParameters = Partial<Record<(typeof UTM_PARAMETERS)[number], string>>;

const cut = (text: string, maxLength: number): string =>
  text.length > maxLength ? text.slice(0, maxLength).toWellFormed() : text;

export const readParameter = (query: unknown, name: string): string => {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' ? cut(value.trim(), MAX_PARAMETER_LENGTH) : '';
};

export const readUtmParameters = (query: unknown): UtmParameters => {
  const parameters: UtmParameters = {};
  for (const name of UTM_PARAMETERS) {
    const value = readParameter(query, name);
    if (value !== '') parameters[name] = value;
  }
  return parameters;
};

const PREFETCH = /prefetch|prerender|preview/i;

/**
 * Prefetches, images and frames do not count as clicks. `Sec-Fetch-Mode: cors` without `Sec-Fetch-Dest` comes from HTTP
 * clients such as Node's fetch, not from browsers, so it is not a prefetch.
 */
export const isPrefetch = (headers: IncomingHttpHeaders): boolean => {
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']];
  if (purposes.some((purpose) => purpose !== undefined && PREFETCH.test(String(purpose)))) return true;
  const { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode } = headers;
  if (dest !== undefined) return dest !== 'document' || (mode !== undefined && mode !== 'navigate');
  return mode !== undefined && mode !== 'navigate' && mode !== 'cors';
};

export interface HitRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  ip: string;
  query: unknown;
}

export interface RecordedHit {
  /** Identifies the visitor on the next hit. */
  cookie: string;
  /** Set when the click buffer is full; resolves when it has room again. */
  backpressure: Promise<void> | undefined;
}

/** Records a hit on a campaign link, with a reason when it does not count as a click. */
export const recordHit = (
  { services, publicUrl, partners }: Context,
  hit: HitRequest,
  link: { partnerId: number; campaignId: number },
): RecordedHit => {
  const { headers, method, ip, query } = hit;
  const clickedAt = services.clock.now();
  const existing = readVisitor(hit);
  const visitorId = existing ?? newVisitorId(clickedAt);
  const userAgent = headers['user-agent'] && cut(headers['user-agent'], MAX_NAME_LENGTH);
  const { partnerId, campaignId } = link;
  const returning = existing !== undefined && ageOf(existing, clickedAt) >= REPEAT_MS;
  const fingerprint = services.secrets.fingerprint(`${ip} ${userAgent ?? ''}`);
  const isRepeat = () =>
    !partners.isAmongFirstClicks({ ip, campaignId, visitor: returning ? visitorId : fingerprint, at: clickedAt });
  const backpressure = services.partners.clicks.add({
    partnerId,
    campaignId,
    visitorId,
    returning,
    fingerprint,
    clickedAt,
    reason:
      findUncountedReason({ head: method === 'HEAD', prefetch: isPrefetch(headers), userAgent }) ??
      (isRepeat() ? 'repeat' : undefined),
    userAgent,
    referrer: headers.referer && cut(headers.referer, MAX_REFERRER_LENGTH),
    utmMedium: readParameter(query, 'utm_medium'),
    utmContent: readParameter(query, 'utm_content'),
    utmTerm: readParameter(query, 'utm_term'),
  });
  return { cookie: visitorCookie(visitorId, { tls: publicUrl().startsWith('https:') }), backpressure };
};
