import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import {
  activateAgent,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  readActivation,
} from '#server/domain/support/agents/profile/activate-agent.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { html } from '../layout/html.ts';
import { CONSOLE_LINK, renderNotice, renderPage } from '../layout/layout.ts';

const PER_ADDRESS = { perSecond: 1, burst: 20 };

const renderForm = (login: string): string =>
  renderPage({
    title: 'Activate your account – Parley',
    body: html`<main class="notice">
<h1>Set your password</h1>
<p>You'll sign in as <strong>${login}</strong>.</p>
<form method="post" class="entry">
<input type="hidden" name="login" autocomplete="username" value="${login}">
<p class="field"><label for="password">Password</label>
<input id="password" type="password" name="password" autocomplete="new-password" required minlength="${MIN_PASSWORD_LENGTH}" maxlength="${MAX_PASSWORD_LENGTH}" aria-describedby="password-hint">
<span class="hint" id="password-hint">At least ${MIN_PASSWORD_LENGTH} characters.</span></p>
<button type="submit">Activate account</button>
</form>
</main>`,
  });

/** The link in an invitation email. Only submitting the form consumes the link, because mail scanners open links too. */
export const addActivate = (app: FastifyInstance, ctx: Context): void => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const { database, services } = ctx;
  const url = '/activate/:secret';
  app.get<{ Params: { secret: string } }>(url, async ({ params, ip }) => {
    limit(ip);
    return renderForm(await readActivation(database, services, params.secret));
  });
  app.post<{ Params: { secret: string }; Body?: { password?: unknown } }>(url, async ({ params, body, ip }) => {
    limit(ip);
    const password = typeof body?.password === 'string' ? body.password : '';
    await activateAgent(database, services, { secret: params.secret, password });
    return renderNotice('Welcome', 'Your account is active. Sign in with your email and password.', CONSOLE_LINK);
  });
};
