import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/domain/errors.ts';
import { rateTicket, readRatingToken } from '#server/domain/tickets/rate-ticket.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';
import { html } from './html.ts';
import { renderNotice, renderPage } from './layout.ts';

const PER_ADDRESS = { perSecond: 1, burst: 20 };

/** Programs open the links of a mail before people do: to look is not yet to rate. */
const renderQuestion = (token: string): string =>
  renderPage({
    title: 'How did we do? – Parley',
    body: html`<main class="notice">
<h1>How did we do?</h1>
<form method="post" action="/ticket-rating/${token}/good"><button type="submit">Good, I am satisfied</button></form>
<form method="post" action="/ticket-rating/${token}/bad"><button type="submit">Bad, I am not satisfied</button></form>
</main>`,
  });

/** The link of a mail about a ticket: reading it shows two buttons, and only a button rates. */
export const addRateTicket = (app: FastifyInstance, ctx: Context): void => {
  const limit = createRateLimiter(PER_ADDRESS, ctx.config.rateLimits);
  app.get<{ Params: { token: string } }>('/ticket-rating/:token', async ({ params }) => {
    readRatingToken(ctx.services, params.token);
    return renderQuestion(params.token);
  });
  app.post<{ Params: { token: string; rate: string } }>('/ticket-rating/:token/:rate', async ({ params, ip }) => {
    limit(ip);
    const { token, rate } = params;
    if (rate !== 'good' && rate !== 'bad') throw notFound('Page');
    await rateTicket(ctx.services, { token, rate });
    return renderNotice('Thank you', 'Your answer is noted. You can close this page.');
  });
};
