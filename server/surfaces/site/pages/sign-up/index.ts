import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contracts/sign-up/index.ts';
import type { Context } from '#server/context.ts';
import { assertSignUpOpen } from '#server/domain/accounts/invitations/admit-sign-up.ts';
import { joinProgram } from '#server/domain/partners/accounts/join.ts';
import type { Attribution } from '#server/domain/partners/referrals/find-referral.ts';
import { signUp } from '#server/domain/partners/referrals/sign-up.ts';
import { openPlatformScope, type PlatformScope } from '#server/domain/scope.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import { PAGE_HEADERS } from '#server/http/security-headers.ts';
import { assertOwnPage } from '#server/http/session-cookie.ts';
import { openSurface, type Surface } from '#server/http/surface.ts';
import { readVisitor } from '#server/http/visitor-cookie.ts';
import { writePartnerError } from '#server/surfaces/shared/partner-errors.ts';
import { HTML } from '../../layout/error-page.ts';
import { readParameter } from '../../short-links/record-hit.ts';
import { readAttribution, recordLanding } from '../record-landing.ts';
import { answerWithPages } from './answer-page.ts';
import { type FormName, renderClosed, renderForm } from './pages.ts';

/** Hashing a password is expensive, and every account sends an email. */
const PER_NETWORK = { perSecond: 1 / 30, burst: 10 };

const attributionOf = (request: FastifyRequest): Attribution => {
  const { a, utm_campaign, utm_medium, utm_content, utm_term, utm_source } = readAttribution(request.body);
  return {
    ...{ visitorId: readVisitor(request), a, utmCampaign: utm_campaign, utmMedium: utm_medium },
    ...{ utmContent: utm_content, utmTerm: utm_term, utmSource: utm_source },
  };
};

const signUpRoutes = (ctx: Context): Route<PlatformScope>[] => {
  const visitorRoute = route<PlatformScope>();
  const limit = createAddressLimiter(PER_NETWORK, ctx.config.rateLimits);

  /** Rejects forms of other sites (CSRF). */
  const checkRequest = (request: FastifyRequest): void => {
    assertOwnPage(request, ctx.publicUrl());
    limit(request.ip);
  };

  const show = async (form: FormName, product: string, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers(PAGE_HEADERS).type(HTML);
    if (ctx.config.signUp === 'closed') return void reply.code(403).send(renderClosed(ctx.config));
    await recordLanding(ctx, request, reply, product);
    const values = { product, invitation: readParameter(request.query, 'invitation') };
    void reply.send(renderForm(form, ctx.config, { values, errors: {} }, readAttribution(request.query)));
  };

  return [
    visitorRoute(contract.showSignUp, ({ request, reply }) =>
      show('sign_up', readParameter(request.query, 'product') || 'mainchat', request, reply),
    ),
    visitorRoute(contract.showJoin, ({ request, reply }) => show('join', 'partner_program', request, reply)),
    visitorRoute(contract.signUp, async ({ body, scope, request }) => {
      checkRequest(request);
      const { email, name, password, organization: organizationName, product = 'mainchat', invitation } = body;
      const attribution = attributionOf(request);
      const input = { email, name, password, organization: organizationName, product, invitation, attribution };
      const { organization, login } = await signUp(scope, input);
      return { organization_id: organization.id, license_id: organization.licenseNumber, login };
    }),
    visitorRoute(contract.join, async ({ body, scope, request }) => {
      checkRequest(request);
      const { email, password, first_name: firstName, last_name: lastName, invitation } = body;
      const login = email.toLowerCase();
      const partner = { login, password, firstName, lastName, invitation, attribution: attributionOf(request) };
      const { partnerId, token } = await joinProgram(scope, partner);
      return { partner_id: String(partnerId), login, token };
    }),
  ];
};

/** `/signup` starts a trial and `/join` creates a partner, both as pages and as API operations. */
export const signUpSurface: Surface = {
  contract: contract.signUpContract,
  owns: (path) => /^\/(signup|join)/.test(path),
  writeError: writePartnerError,
  register: (app, ctx) => {
    answerWithPages(app, ctx);
    const openScope = ({ method }: FastifyRequest): PlatformScope => {
      const scope = openPlatformScope(ctx.services, { kind: 'visitor' });
      // The pages say it themselves.
      if (method === 'POST') assertSignUpOpen(scope);
      return scope;
    };
    openSurface(app, ctx, signUpSurface, {
      bodies: 'form-or-json',
      authenticate: openScope,
      openScope,
      routes: signUpRoutes(ctx),
    });
  },
};
