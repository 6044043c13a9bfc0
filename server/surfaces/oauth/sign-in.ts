import * as contract from '#contracts/oauth/index.ts';
import type { Context } from '#server/context.ts';
import { endSession, SESSION_SECONDS, signIn } from '#server/domain/agents/sessions.ts';
import type { HeldToken } from '#server/domain/oauth/tokens.ts';
import { type Route, route } from '#server/http/route.ts';
import { assertOwnPage, clearSession, readSession, writeSession } from '#server/http/session-cookie.ts';

const signInRoute = route<HeldToken>();

export const signInRoutes = (ctx: Context): Route<HeldToken>[] => [
  signInRoute(contract.signIn, async ({ body, request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    await ctx.limitSignIn(request, body.login);
    const { organization_id: organizationId, ...input } = body;
    const session = await signIn(ctx.database, ctx.services, { ...input, organizationId });
    const tls = ctx.publicUrl().startsWith('https:');
    writeSession(reply, session.secret, { tls, maxAge: SESSION_SECONDS });
    return { login: session.login, organization_id: session.organizationId };
  }),
  signInRoute(contract.signOut, async ({ request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    const secret = readSession(request);
    clearSession(reply);
    // A session that has ended already needs no ending.
    if (secret) await endSession(ctx.database, ctx.services, secret).catch(() => {});
    return {};
  }),
];
