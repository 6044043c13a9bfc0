import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/domain/errors.ts';
import type { TicketRating } from '#server/domain/support/tickets/records.ts';
import { type RatedTicket, rateTicket, readRatedTicket } from '#server/domain/support/tickets/work/rate-ticket.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';
import { html } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';

const PER_ADDRESS = { perSecond: 1, burst: 20 };

/** Programs open the links of a mail before people do: to look is not yet to rate. */
const renderQuestion = (token: string, { organizationName, subject }: RatedTicket): string =>
  renderPage({
    title: `How did we do? – ${organizationName}`,
    body: html`<main class="notice">
<h1>How did we do?</h1>
<p>${organizationName} answered you about <strong>${subject}</strong>.</p>
<form method="post" class="choices">
<button type="submit" class="plain" formaction="/ticket-rating/${token}/good">Good, I am satisfied</button>
<button type="submit" class="plain" formaction="/ticket-rating/${token}/bad">Bad, I am not satisfied</button>
</form>
</main>`,
  });

const renderThanks = (token: string, rate: TicketRating, { organizationName }: RatedTicket): string =>
  renderPage({
    title: `Thank you – ${organizationName}`,
    body: html`<main class="notice">
<h1>Thank you</h1>
<p>Your answer is noted: <strong>${rate}</strong>. You can close this page.</p>
<p><a href="/ticket-rating/${token}">Change your answer</a></p>
</main>`,
  });

/** The link of a mail about a ticket: reading it shows two buttons, and only a button rates. */
export const addRateTicket = (app: FastifyInstance, ctx: Context): void => {
  const limit = createRateLimiter(PER_ADDRESS, ctx.config.rateLimits);
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
