import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { confirmEmail } from '#server/domain/support/customers/confirm-email.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
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

/** The link in verification emails. */
export const addVerifyEmail = (app: FastifyInstance, ctx: Context): void => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const url = '/verify-email/:secret';
  app.get(url, async () => renderQuestion());
  app.post<{ Params: { secret: string } }>(url, async ({ params, ip }) => {
    limit(ip);
    await confirmEmail(ctx.database, ctx.services, params.secret);
    return renderNotice('Email confirmed', 'Your email address has been confirmed. You can close this page.');
  });
};
