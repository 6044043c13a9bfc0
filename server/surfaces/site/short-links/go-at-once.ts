import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '#server/context.ts';
import { createClientAddress, createSaysHttps } from '#server/http/client-address.ts';
import { FOUND, type SendOn } from './send-on.ts';

const SHORT_LINKS = '/go/';
const NO_QUERY = {};

/**
 * Answers whoever follows a link that is known, as nearly all do, before the router is asked: for a redirect that is most of
 * the work. Whatever is out of the ordinary is not answered here, and goes on to the route.
 */
export const createGoAtOnce = (
  ctx: Context,
  sendOn: SendOn,
): ((request: IncomingMessage, response: ServerResponse) => boolean) => {
  const { links, config } = ctx;
  const addressOf = createClientAddress(config.trustedProxies);
  const saysHttps = createSaysHttps(config.trustedProxies);
  return (request, response) => {
    const { method, url = '' } = request;
    if (method !== 'GET' || !url.startsWith(SHORT_LINKS) || ctx.stopping) return false;
    const link = links.knownByCode(url.slice(SHORT_LINKS.length));
    if (!link || (config.requireHttps && !saysHttps(request))) return false;
    const asking = { method, url, headers: request.headers, ip: addressOf(request), query: NO_QUERY };
    const { headers, crowded } = sendOn(asking, link);
    const answer = (): void => {
      response.writeHead(FOUND, headers).end();
    };
    if (crowded) void crowded.then(answer);
    else answer();
    return true;
  };
};
