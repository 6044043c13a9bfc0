import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/domain/errors.ts';
import { type RatedTicket, rateTicket, readRatedTicket } from '#server/domain/support/tickets/rate-ticket.ts';
import type { TicketRating } from '#server/domain/support/tickets/records.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { html } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';

const PER_ADDRESS = { perSecond: 1, burst: 20 };

/** Opening the link does not rate yet, because mail scanners open links too. */
const renderQuestion = (token: string, { organizationName, subject }: RatedTicket): string =>
  renderPage({
    title: `How did we do? – ${organizationName}`,
    body: html`<main class="notice">
<h1>How did we do?</h1>
<p>Rate the support you received from ${organizationName} for <strong>${subject}</strong>.</p>
<form method="post" class="choices">
<button type="submit" class="plain" formaction="/ticket-rating/${token}/good">👍 Good</button>
<button type="submit" class="plain" formaction="/ticket-rating/${token}/bad">👎 Bad</button>
</form>
</main>`,
  });

const renderThanks = (token: string, rate: TicketRating, { organizationName }: RatedTicket): string =>
  renderPage({
    title: `Thanks for your feedback – ${organizationName}`,
    body: html`<main class="notice">
<h1>Thanks for your feedback</h1>
<p>You rated this <strong>${rate}</strong>. You can close this page.</p>
<p><a href="/ticket-rating/${token}">Change rating</a></p>
</main>`,
  });

/** The rating link of ticket emails. */
export const addRateTicket = (app: FastifyInstance, ctx: Context): void => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  app.get<{ Params: { token: string } }>('/ticket-rating/:token', async ({ params }) => {
    return renderQuestion(params.token, await readRatedTicket(ctx.services, params.token));
  });
  app.post<{ Params: { token: string; rate: string } }>('/ticket-rating/:token/:rate', async ({ params, ip }) => {
    limit(ip);
    const { token, rate } = params;
    if (rate !== 'good' && rate !== 'bad') throw notFound('Page');
    await rateTicket(ctx.services, { token, rate });
    return renderThanks(token, rate, await readRatedTicket(ctx.services, token));
  });
};
