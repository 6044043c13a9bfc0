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
import { writeKnownDevice } from '#server/http/known-device.ts';
import { logFailedSignIn } from '#server/http/log-failed-sign-in.ts';
import { type Route, route } from '#server/http/route.ts';
import { assertOwnPage, clearSession, readSession, writeSession } from '#server/http/session-cookie.ts';
import { presentSignedInAgent } from '#server/surfaces/chat-v3/present-session.ts';

const signInRoute = route<IdentifiedToken>();

/** Sets the session cookie and returns the signed-in agent. */
const welcome = async (ctx: Context, reply: FastifyReply, session: StartedSession) => {
  const { services } = ctx;
  await endPreviousSession(ctx.database, services, { before: readSession(reply.request), now: session });
  const tls = ctx.publicUrl().startsWith('https:');
  writeSession(reply, session.secret, { tls, maxAge: SESSION_SECONDS });
  writeKnownDevice(reply, { secrets: services.secrets, login: session.login, tls });
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
    const { organization_id: organizationId, ...input } = body;
    const accounts = await logFailedSignIn(request, body.login, async () => {
      const refund = await ctx.signInLimits.passwords(request, body.login);
      const found = await checkPassword(ctx.database, { ...input, organizationId });
      await refund();
      return found;
    });
    if (accounts.length > 1) {
      reply.code(202);
      const organizations = accounts.map((account) => ({ id: account.organizationId, name: account.organizationName }));
      return { organization_required: true as const, organizations };
    }
    return goOn(ctx, reply, await completeSignIn(ctx.services, accounts[0], browserOf(request)));
  }),
  signInRoute(contract.signInWithCode, async ({ body, request, reply }) => {
    assertOwnPage(request, ctx.publicUrl());
    const account = await readTicket(ctx.database, ctx.services, body.ticket);
    const session = await logFailedSignIn(request, account.login, async () => {
      const refund = await ctx.signInLimits.codes(request, account);
      const entered = await signInWithCode(ctx.services, account, { code: body.code, browser: browserOf(request) });
      await refund();
      return entered;
    });
    return welcome(ctx, reply, session);
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
