import type { Context } from '#server/context.ts';
import { isLandingPage, landingUrlOf } from '#server/domain/partners/campaigns/links.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { type Asking, type Noted, noteHit, readMarks } from './hits.ts';

export const FOUND = 302;

export interface SentOn {
  headers: Record<string, string>;
  /** The visitor waits for its end. */
  crowded: Noted['crowded'];
}

export type SendOn = (asking: Asking, link: Link) => SentOn;

/** Notes the click and says where it leads, for whoever answers. */
export const createSendOn = (ctx: Context): SendOn => {
  const { services } = ctx;
  const plain = new WeakMap<Link, string>();

  /** Where a link may lead is settled when it is made; a host that the operator no longer names is not led to. */
  const landingOf = (link: Link, marks: Record<string, string>): string => {
    const isAllowed = link.landingUrl !== null && isLandingPage(services, link.landingUrl);
    return landingUrlOf(services, isAllowed ? link : { ...link, landingUrl: null }, marks);
  };

  /** Most links are followed as they are, so that their landing page is put together once. */
  const plainLandingOf = (link: Link): string => {
    const known = plain.get(link) ?? landingOf(link, {});
    plain.set(link, known);
    return known;
  };

  return (asking, link) => {
    const location = asking.url.includes('?') ? landingOf(link, readMarks(asking.query)) : plainLandingOf(link);
    const { cookie, crowded } = noteHit(ctx, asking, link);
    const headers = {
      location,
      'set-cookie': cookie,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-length': '0',
    };
    return { headers, crowded };
  };
};
