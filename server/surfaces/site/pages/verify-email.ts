import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { confirmEmail } from '#server/domain/support/customers/confirm-email.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';
import { html } from '../layout/html.ts';
import { renderNotice, renderPage } from '../layout/layout.ts';

const PER_ADDRESS = { perSecond: 1, burst: 20 };

/** Whoever sees the page has not confirmed anything yet: programs open the links of a mail before people do. */
const renderQuestion = (): string =>
  renderPage({
    title: 'Confirm your e-mail address – Parley',
    body: html`<main class="notice">
<h1>Confirm your e-mail address</h1>
<p>Is the address that this mail went to yours?</p>
<form method="post"><button type="submit">Yes, it is mine</button></form>
</main>`,
  });

/** The link of a mail: reading it shows a button, and only the button confirms. */
export const addVerifyEmail = (app: FastifyInstance, ctx: Context): void => {
  const limit = createRateLimiter(PER_ADDRESS, ctx.config.rateLimits);
  const url = '/verify-email/:secret';
  app.get(url, async () => renderQuestion());
  app.post<{ Params: { secret: string } }>(url, async ({ params, ip }) => {
    limit(ip);
    await confirmEmail(ctx.database, ctx.services, params.secret);
    return renderNotice('Thank you', 'Your e-mail address is confirmed. You can close this page.');
  });
};
