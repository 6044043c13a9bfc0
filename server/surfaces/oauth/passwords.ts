import * as contract from '#contracts/oauth/index.ts';
import type { Context } from '#server/context.ts';
import type { IdentifiedToken } from '#server/domain/accounts/oauth/tokens.ts';
import { resetPassword } from '#server/domain/support/agents/sign-in/reset-password.ts';
import { type Route, route } from '#server/http/route.ts';
import { assertOwnPage } from '#server/http/session-cookie.ts';

const passwordRoute = route<IdentifiedToken>();

export const passwordRoutes = (ctx: Context): Route<IdentifiedToken>[] => [
  passwordRoute(contract.requestPasswordReset, async ({ body, request }) => {
    assertOwnPage(request, ctx.publicUrl());
    await ctx.signInLimits.resets(request, body.login);
    // Looked up after the response, so that its duration does not reveal whether the agent exists.
    await ctx.background.jobs.enqueue(ctx.database, 'mail-password-resets', { login: body.login });
    ctx.background.jobs.nudge();
    return {};
  }),
  passwordRoute(contract.resetPassword, async ({ body, request }) => {
    assertOwnPage(request, ctx.publicUrl());
    const { token: secret, password, reset_api_key: shouldResetApiKey } = body;
    await resetPassword(ctx.database, ctx.services, { secret, password, shouldResetApiKey });
    return {};
  }),
];
