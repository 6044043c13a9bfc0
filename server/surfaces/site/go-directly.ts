import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Context } from '#server/context.ts';
import { landingUrlOf } from '#server/domain/campaigns/links.ts';
import { judgeHit } from '#server/domain/clicks/judge-hit.ts';
import { isPrefetch } from './hits.ts';

const COOKIE = /(?:^|;\s*)parley_visitor=([0-9a-f-]{36})(?:;|$)/;
export const goDirectly = (ctx: Context, otherwise: RequestListener): RequestListener => {
  const { links, services } = ctx;
  const landings = new WeakMap<object, string>();
  return (request: IncomingMessage, response: ServerResponse) => {
    const url = request.url!;
    const link = url.startsWith('/go/') && request.method === 'GET' ? (links as any).known(url.slice(4)) : undefined;
    if (!link) return otherwise(request, response as never);
    let landing = landings.get(link);
    if (!landing) { landing = landingUrlOf(services, link, {}); landings.set(link, landing); }
    const { headers } = request;
    const known = COOKIE.exec(headers.cookie ?? '')?.[1];
    const visitorId = known ?? randomUUID();
    const userAgent = headers['user-agent'];
    services.clicks.add({
      partnerId: link.partnerId, campaignId: link.campaignId, visitorId, returning: known !== undefined,
      fingerprint: services.secrets.fingerprint(`${request.socket.remoteAddress} ${userAgent ?? ''}`),
      clickedAt: services.clock.now(),
      reason: judgeHit({ head: false, prefetch: isPrefetch(headers), userAgent }),
      userAgent, referrer: headers.referer, utmMedium: '', utmContent: '', utmTerm: '',
    });
    response.writeHead(302, ['location', landing, 'content-length', '0', 'cache-control', 'no-store', 'referrer-policy', 'no-referrer', 'set-cookie', `parley_visitor=${visitorId}; Max-Age=10368000; Path=/; HttpOnly; SameSite=Lax`]);
    response.end();
  };
};
