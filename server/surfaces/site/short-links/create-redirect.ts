import type { Context } from '#server/context.ts';
import { isLandingPage, landingUrlOf } from '#server/domain/partners/campaigns/links.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { type HitRequest, type RecordedHit, readUtmParameters, recordHit } from './record-hit.ts';

export const FOUND = 302;

export interface RedirectResponse {
  headers: Record<string, string>;
  /** Wait for it before responding. */
  backpressure: RecordedHit['backpressure'];
}

export type Redirect = (hit: HitRequest, link: Link) => RedirectResponse;

/** Records the click and returns the headers of the redirect. */
export const createRedirect = (ctx: Context): Redirect => {
  const { services } = ctx;
  const plain = new WeakMap<Link, string>();

  /** Checked again here because the operator may have removed the host since the link was created. */
  const landingOf = (link: Link, parameters: Record<string, string>): string => {
    const isAllowed = link.landingUrl !== null && isLandingPage(services.installation, link.landingUrl);
    return landingUrlOf(services.installation, isAllowed ? link : { ...link, landingUrl: null }, parameters);
  };

  /** Most hits have no parameters, so their landing URL is cached per link. */
  const plainLandingOf = (link: Link): string => {
    const landing = plain.get(link) ?? landingOf(link, {});
    plain.set(link, landing);
    return landing;
  };

  return (hit, link) => {
    const location = hit.url.includes('?') ? landingOf(link, readUtmParameters(hit.query)) : plainLandingOf(link);
    const { cookie, backpressure } = recordHit(ctx, hit, link);
    const headers = {
      location,
      'set-cookie': cookie,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-length': '0',
    };
    return { headers, backpressure };
  };
};
