import type { BodyOf } from '#contracts/operation.ts';
import { sendBeacon } from '#contracts/tracking/index.ts';
import type { Context } from '#server/context.ts';
import type { Browser } from '#server/domain/access.ts';
import { isTrustedUrl } from '#server/domain/accounts/licenses/trusted-domains.ts';
import { DomainError } from '#server/domain/errors.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { acceptGreeting, cancelGreeting } from '#server/domain/support/greetings/answer-greeting.ts';
import type { ShownGreeting } from '#server/domain/support/greetings/records.ts';
import { type Beacon, HEARTBEAT_SECONDS } from '#server/domain/support/visits/beacons.ts';
import { checkPage } from '#server/domain/support/visits/record-page.ts';
import { isTimeZone } from '#server/domain/time-zones.ts';
import { readBrowser } from '#server/http/browser.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import { assertTrustedOrigin, isForeignSite } from '#server/http/trusted-origin.ts';
import { readSale } from '#server/surfaces/shared/read-sale.ts';
import { createLicenseFinder } from './auth.ts';

const MAX_TITLE_LENGTH = 512;
const MAX_URL_LENGTH = 2048;
/** Crawlers and link previews, which identify themselves in the user agent. */
const CRAWLERS = /bot\b|crawl|spider|slurp|preview|headlesschrome-lighthouse|lighthouse/i;

type Body = BodyOf<typeof sendBeacon>;

const readBeacon = (body: Body, browser: Browser): Beacon => {
  const { timezone, referrer, language } = body;
  return {
    customerId: body.visitor_id,
    secret: body.secret,
    page: checkPage({ url: body.page.url, title: body.page.title?.slice(0, MAX_TITLE_LENGTH) }, 'page.url'),
    opened: body.event === 'view',
    left: body.event === 'leave',
    referrer: referrer?.slice(0, MAX_URL_LENGTH) || undefined,
    language: language || undefined,
    timezone: timezone && isTimeZone(timezone) ? timezone : undefined,
    groupId: body.group,
    browser: { userAgent: browser.userAgent?.slice(0, MAX_URL_LENGTH), ip: browser.ip },
    variables: body.variables && Object.fromEntries(body.variables.map(({ name, value }) => [name, value])),
    goals: body.goals?.map(({ id, ...order }) => ({ goalId: id, sale: readSale(order) })),
    checksGreeting: body.look ?? false,
  };
};

const presentGreeting = ({ greetingId, uniqueId, message, agent }: ShownGreeting) => ({
  id: greetingId,
  unique_id: uniqueId,
  text: message,
  agent: { name: agent.name, avatar: agent.avatar, job_title: agent.jobTitle },
});

export const beaconRoutes = (ctx: Context): Route<undefined>[] => {
  const findLicense = createLicenseFinder(ctx);
  const limit = createClassLimiter(sendBeacon.rateLimit, ctx.config.rateLimits);

  const decide = async (organizationId: string, customerId: string, greeting: NonNullable<Body['greeting']>) => {
    const scope = openOrganizationScope(ctx.services, { kind: 'customer', id: customerId }, organizationId);
    const { id: greetingId, unique_id: uniqueId, decision } = greeting;
    if (decision === 'accepted') await acceptGreeting(scope, { greetingId, uniqueId });
    else await cancelGreeting(scope, { uniqueId });
  };

  const secondsUntil = (at: Date | undefined): number =>
    at ? Math.max(1, (at.getTime() - ctx.clock.now().getTime()) / 1000) : Number.POSITIVE_INFINITY;

  return [
    route<undefined>()(sendBeacon, async ({ body, request }) => {
      limit.address(request.ip);
      const license = await findLicense(body.license);
      assertTrustedOrigin(request, license.trustedDomains);
      const browser = readBrowser(request.headers, request.ip);
      const beacon = readBeacon(body, browser);
      if (!isTrustedUrl(beacon.page.url, license.trustedDomains))
        throw new DomainError('forbidden', 'This domain is not trusted by the organization');
      limit.organization(license.id);
      if (CRAWLERS.test(browser.userAgent ?? '')) return { recognised: true, next_in: 3600, look: false };
      const { recognised, greeting, checkAgainAt } = await ctx.realtime.tracker.track(license.id, beacon);
      if (isForeignSite(beacon.page.url, ctx.publicUrl())) ctx.partners.milestones.noteInstalled(license.id);
      if (recognised && body.greeting) await decide(license.id, beacon.customerId, body.greeting);
      const look = secondsUntil(checkAgainAt);
      return {
        recognised,
        next_in: Math.min(HEARTBEAT_SECONDS, look),
        look: look <= HEARTBEAT_SECONDS,
        ...(greeting ? { greeting: presentGreeting(greeting) } : {}),
      };
    }),
  ];
};
