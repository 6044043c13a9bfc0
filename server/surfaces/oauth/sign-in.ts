import * as contract from '#contracts/oauth/index.ts';
import type { Context } from '#server/context.ts';
import { endSession, SESSION_SECONDS, signIn } from '#server/domain/agents/sessions.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { HeldToken } from '#server/domain/oauth/tokens.ts';
import { type Route, route } from '#server/http/route.ts';
import { clearSession, isFromOwnPage, readSession, writeSession } from '#server/http/session-cookie.ts';

const signInRoute = route<HeldToken>();

export const signInRoutes = (ctx: Context): Route<HeldToken>[] => {
  /** Another site's form could sign its visitor in as somebody else; whoever is no browser has no such visitor. */
  const assertOwnPage = (request: Parameters<typeof isFromOwnPage>[0]): void => {
    const { origin, 'sec-fetch-site': site } = request.headers;
    const isBrowser = origin !== undefined || (site !== undefined && site !== 'none');
    if (isBrowser && !isFromOwnPage(request, ctx.publicUrl()))
      throw new DomainError('forbidden', 'Cross-domain browser requests are denied');
  };
  return [
    signInRoute(contract.signIn, async ({ body, request, reply }) => {
      assertOwnPage(request);
      ctx.limitSignIn(request, body.login);
      const { organization_id: organizationId, ...input } = body;
      const session = await signIn(ctx.database, ctx.services, { ...input, organizationId });
      const tls = ctx.publicUrl().startsWith('https:');
      writeSession(reply, session.secret, { tls, maxAge: SESSION_SECONDS });
      return { login: session.login, organization_id: session.organizationId };
    }),
    signInRoute(contract.signOut, async ({ request, reply }) => {
      assertOwnPage(request);
      const secret = readSession(request);
      clearSession(reply);
      // A session that has ended already needs no ending.
      if (secret) await endSession(ctx.database, ctx.services, secret).catch(() => {});
      return {};
    }),
  ];
};
