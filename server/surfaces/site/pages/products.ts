import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { rejectWrites } from '../layout/error-page.ts';
import { html, type Markup } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';
import { readAttribution, recordLanding } from './record-landing.ts';

interface ProductPage {
  name: string;
  title: string;
  lead: string;
  points: readonly { title: string; text: string }[];
}

/** The products offered at sign-up. */
export const products: Readonly<Record<string, ProductPage>> = {
  mainchat: {
    name: 'Live chat',
    title: 'Chat with visitors while they’re on your site',
    lead: 'Live chat for your website, fair queues, and every conversation on your own server.',
    points: [
      {
        title: 'Smart routing',
        text: 'Chats go to available agents by group, schedule and limit. Everyone else sees their position in the queue.',
      },
      {
        title: 'Reliable delivery',
        text: 'Every confirmed message is stored. After a lost connection, everyone sees the same conversation.',
      },
      {
        title: 'Visitor insights',
        text: 'See visitors, pages and locations in real time, and greet visitors at the right moment.',
      },
      {
        title: 'Open APIs',
        text: 'Documented APIs for visitors, agents and the back office, signed webhooks, and OAuth.',
      },
    ],
  },
  chatbot: {
    name: 'Chatbot',
    title: 'Let bots answer first and people when it matters',
    lead: 'Bots work alongside your agents: they handle chats, ask with buttons, and hand over what they can’t solve.',
    points: [
      {
        title: 'Part of the team',
        text: 'Each bot has its own token, chat limit and groups, and appears in reports under its own name.',
      },
      { title: 'Easy handover', text: 'A transfer goes to the right group with the full conversation.' },
      {
        title: 'Around the clock',
        text: 'When agents are offline, the bot still answers and creates a ticket for the morning.',
      },
      {
        title: 'Any programming language',
        text: 'A bot is your own program. It connects over HTTP or WebSocket.',
      },
    ],
  },
  helpdesk: {
    name: 'Help desk',
    title: 'For requests that take longer than a chat',
    lead: 'Tickets from email, forms and chats in a single inbox.',
    points: [
      { title: 'One thread per request', text: 'Email replies, files and notes stay together.' },
      {
        title: 'From a chat to a ticket',
        text: 'Turn an unresolved chat into a ticket with the full conversation.',
      },
      {
        title: 'Merge and undo',
        text: 'Merge duplicate requests into one ticket, and undo it if it was a mistake.',
      },
      { title: 'Useful reports', text: 'First response time, resolution time and ratings, by day and group.' },
    ],
  },
};

/** The default; a campaign can extend it. */
const TRIAL_DAYS = 14;

const writeOffer = (link: Link | undefined, product: string): { days: number; offer: string | undefined } =>
  link?.product === product
    ? { days: link.trialDays, offer: link.offer ?? undefined }
    : { days: TRIAL_DAYS, offer: undefined };

const writeProduct = (product: string, page: ProductPage, link: Link | undefined, signUp: string): Markup => {
  const { days, offer } = writeOffer(link, product);
  return html`<main class="product">
<p class="kicker">${page.name}</p>
<h1>${page.title}</h1>
<p class="lead">${page.lead}</p>
<p class="call"><a class="button" href="${signUp}">Start your ${days}-day trial</a></p>
<p class="muted">${offer ? html`<strong>${offer}</strong> · ` : undefined}No credit card required. The trial ends automatically.</p>
<ul class="points">${page.points.map(({ title, text }) => html`<li><h2>${title}</h2><p>${text}</p></li>`)}</ul>
<nav class="others" aria-label="Other products">${Object.entries(products)
    .filter(([name]) => name !== product)
    .map(
      ([name, other]) => html`<a href="/products/${name}">${other.name}</a>`,
    )}<a href="/join">Partner program</a></nav>
</main>`;
};

/** The landing pages of partner links. Campaigns may append path segments, which are ignored. */
export const addProducts = (app: FastifyInstance, ctx: Context): void => {
  for (const url of ['/products/:product', '/products/:product/*']) {
    app.get<{ Params: { product: string } }>(url, async (request, reply) => {
      const { product } = request.params;
      const page = Object.hasOwn(products, product) ? products[product] : undefined;
      if (!page) throw new DomainError('not_found', 'Product not found.');
      const link = await recordLanding(ctx, request, reply, product);
      const signUp = `/signup?${new URLSearchParams({ product, ...readAttribution(request.query) })}`;
      return renderPage({ title: `${page.name} – Parley`, body: writeProduct(product, page, link, signUp) });
    });
    rejectWrites(app, url);
  }
};
