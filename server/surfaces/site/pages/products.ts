import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { Link } from '#server/domain/partners/clicks/find-link.ts';
import { html, type Markup } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';
import { refuseWriting } from '../layout/refuse.ts';
import { noteLanding, readTrail } from './landing.ts';

interface ProductPage {
  name: string;
  title: string;
  lead: string;
  points: readonly { title: string; text: string }[];
}

/** What can be signed up for. */
export const products: Readonly<Record<string, ProductPage>> = {
  mainchat: {
    name: 'Live chat',
    title: 'Talk to your visitors while they are still there',
    lead: 'A chat on your website, a queue that is fair, and every conversation on a server of your choice.',
    points: [
      {
        title: 'Nobody waits unseen',
        text: 'Chats go to whoever has room, by group, shift and limit; the rest see their place in the queue.',
      },
      {
        title: 'Nothing is lost',
        text: 'What was acknowledged is stored. After a lost connection everybody has the same conversation again.',
      },
      {
        title: 'You see who is there',
        text: 'Pages, visits and places as they happen, and greetings at the right moment.',
      },
      {
        title: 'Your programs fit',
        text: 'Documented APIs for visitors, agents and the back office, webhooks with a signature, and OAuth.',
      },
    ],
  },
  chatbot: {
    name: 'Chatbot',
    title: 'Let a program answer first, and people when it matters',
    lead: 'Bots work beside your agents: they take chats, ask with buttons, and pass on what they cannot solve.',
    points: [
      {
        title: 'Like any other agent',
        text: 'A bot has its own token, its own limit and its own groups, and appears in reports as itself.',
      },
      { title: 'Always a way to a person', text: 'A transfer goes to the right group with everything that was said.' },
      { title: 'Day and night', text: 'When nobody is there the bot still is, and leaves a ticket for the morning.' },
      {
        title: 'Any language you like',
        text: 'A bot is a program of yours: it speaks HTTP or a socket, and nothing else is prescribed.',
      },
    ],
  },
  helpdesk: {
    name: 'Help desk',
    title: 'Requests that take longer than a chat',
    lead: 'Tickets from mail, forms and chats in one list, answered from one place.',
    points: [
      { title: 'One thread per request', text: 'Answers come and go by mail and stay together, with files and notes.' },
      {
        title: 'From a chat to a ticket',
        text: 'What could not be solved at once goes on as a ticket, with the whole conversation.',
      },
      {
        title: 'Merge, and undo it',
        text: 'Two mails about the same thing become one ticket, and two again if it was a mistake.',
      },
      { title: 'Numbers you can trust', text: 'First answer, time to solve and ratings, by day and by group.' },
    ],
  },
};

/** The usual trial; a campaign may give more. */
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
<p class="quiet">${offer ? html`<strong>${offer}</strong> · ` : undefined}No card needed. It ends by itself.</p>
<ul class="points">${page.points.map(({ title, text }) => html`<li><h2>${title}</h2><p>${text}</p></li>`)}</ul>
<nav class="others" aria-label="Other products">${Object.entries(products)
    .filter(([name]) => name !== product)
    .map(
      ([name, other]) => html`<a href="/products/${name}">${other.name}</a>`,
    )}<a href="/join">Partner programme</a></nav>
</main>`;
};

/** The pages that partners' links lead to. A campaign may add words to the address of its page: it stays the same page. */
export const addProducts = (app: FastifyInstance, ctx: Context): void => {
  for (const url of ['/products/:product', '/products/:product/*']) {
    app.get<{ Params: { product: string } }>(url, async (request, reply) => {
      const { product } = request.params;
      const page = Object.hasOwn(products, product) ? products[product] : undefined;
      if (!page) throw new DomainError('not_found', 'There is no such product.');
      const link = await noteLanding(ctx, request, reply, product);
      const signUp = `/signup?${new URLSearchParams({ product, ...readTrail(request.query) })}`;
      return renderPage({ title: `${page.name} – Parley`, body: writeProduct(product, page, link, signUp) });
    });
    refuseWriting(app, url);
  }
};
