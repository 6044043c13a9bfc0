import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { confirmAddress } from '#server/domain/accounts/addresses/confirmations.ts';
import { isEmail } from '#server/domain/support/forms/email.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { assertOwnPage } from '#server/http/session-cookie.ts';
import { html } from '../layout/html.ts';
import { renderNotice, renderPage } from '../layout/layout.ts';

const PER_ADDRESS = { perSecond: 1, burst: 20 };

/** Opening the link does not confirm yet, because mail scanners open links too. */
const renderQuestion = (): string =>
  renderPage({
    title: 'Confirm your email – Parley',
    body: html`<main class="notice">
<h1>Confirm your email</h1>
<p>Confirm that this email address belongs to you.</p>
<form method="post"><button type="submit">Confirm email</button></form>
</main>`,
  });

const renderRequest = (): string =>
  renderPage({
    title: 'Get a new link – Parley',
    body: html`<main class="notice">
<h1>Get a new link</h1>
<p>Enter the email address of your account. If it isn't confirmed yet, we'll send you a new link.</p>
<form method="post" class="entry">
<p class="field"><label for="login">Email</label>
<input id="login" type="email" name="login" autocomplete="username" required maxlength="254"></p>
<button type="submit">Send link</button>
</form>
</main>`,
  });

/** The link in confirmation emails, and a page to request another one. */
export const addVerifyEmail = (app: FastifyInstance, ctx: Context): void => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const url = '/verify-email/:secret';
  app.get(url, async () => renderQuestion());
  app.post<{ Params: { secret: string } }>(url, async ({ params, ip }) => {
    limit(ip);
    await confirmAddress(ctx.database, ctx.services, params.secret);
    return renderNotice('Email confirmed', 'Your email address has been confirmed. You can close this page.');
  });
  app.get('/verify-email', async () => renderRequest());
  app.post<{ Body?: { login?: unknown } }>('/verify-email', async (request) => {
    assertOwnPage(request, ctx.publicUrl());
    const { login } = request.body ?? {};
    if (typeof login !== 'string' || !isEmail(login.trim())) return renderRequest();
    await ctx.signInLimits.resets(request, login);
    // Looked up after the response, so that its duration does not reveal whether the account exists.
    await ctx.background.jobs.enqueue(ctx.database, 'mail-confirmations', { login });
    ctx.background.jobs.nudge();
    return renderNotice('Check your inbox', 'If the address waits for confirmation, we have sent a new link.');
  });
};
