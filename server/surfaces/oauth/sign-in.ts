import type { FastifyReply, FastifyRequest } from 'fastify';
import * as contract from '#contracts/oauth/index.ts';
import type { Context } from '#server/context.ts';
import type { IdentifiedToken } from '#server/domain/accounts/oauth/tokens.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import { getCurrentAgent } from '#server/domain/support/agents/profile/get-current-agent.ts';
import { identifySession } from '#server/domain/support/agents/sign-in/identify.ts';
import {
  endPreviousSession,
  endSession,
  SESSION_SECONDS,
  type StartedSession,
} from '#server/domain/support/agents/sign-in/sessions.ts';
import {
  checkPassword,
  completeSignIn,
  readTicket,
  type SecondStep,
  signInWithCode,
  signInWithLink,
  TICKET_SECONDS,
} from '#server/domain/support/agents/sign-in/sign-in.ts';
import { readBrowser } from '#server/http/browser.ts';
import { type Route, route } from '#server/http/route.ts';
import { assertOwnPage, clearSession, readSession, writeSession } from '#server/http/session-cookie.ts';
import { presentSignedInAgent } from '#server/surfaces/chat-v3/present-session.ts';

const signInRoute = route<IdentifiedToken>();

/** Sets the session cookie and returns the signed-in agent. */
const welcome = async (ctx: Context, reply: FastifyReply, session: StartedSession) => {
  const { services } = ctx;
  await endPreviousSession(ctx.database, services, { before: readSession(reply.request), now: session });
  writeSession(reply, session.secret, { tls: ctx.publicUrl().startsWith('https:'), maxAge: SESSION_SECONDS });
  const { actor, organizationId } = await identifySession(ctx.database, services, session.secret);
  return presentSignedInAgent(await getCurrentAgent(openOrganizationScope(services, actor, organizationId)));
};

/** With two-factor authentication the agent is not signed in yet. */
const goOn = (ctx: Context, reply: FastifyReply, entered: StartedSession | SecondStep) => {
  if (!('ticket' in entered)) return welcome(ctx, reply, entered);
  reply.code(202);
  return { two_factor_required: true as const, ticket: entered.ticket, expires_in: TICKET_SECONDS };
};

const browserOf = ({ headers, ip }: FastifyRequest) => readBrowser(headers, ip);

export const signInRoutes = (ctx: Context): Route<IdentifiedToken>[] => [
  signInRoute(contract.signIn, async ({ body, request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    await ctx.signInLimits.passwords(request, body.login);
    const { organization_id: organizationId, ...input } = body;
    const browser = browserOf(request);
    return goOn(ctx, reply, await signIn(ctx.database, ctx.services, { ...input, organizationId, browser }));
  }),
  signInRoute(contract.signInWithCode, async ({ body, request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    const account = await readTicket(ctx.database, ctx.services, body.ticket);
    await ctx.signInLimits.codes(request, account);
    const input = { code: body.code, browser: browserOf(request) };
    return welcome(ctx, reply, await signInWithCode(ctx.services, account, input));
  }),
  signInRoute(contract.signInWithLink, async ({ body, request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    const input = { secret: body.token, browser: browserOf(request) };
    return goOn(ctx, reply, await signInWithLink(ctx.database, ctx.services, input));
  }),
  signInRoute(contract.signOut, async ({ request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    const secret = readSession(request);
    clearSession(reply);
    // A session that has already ended is not an error.
    if (secret) await endSession(ctx.database, ctx.services, secret).catch(() => {});
    return {};
  }),
];
