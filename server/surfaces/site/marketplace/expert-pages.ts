import type { CommentRecord } from '#server/domain/partners/experts/comments.ts';
import { logoPathOf } from '#server/domain/partners/experts/logo.ts';
import type { ExpertRecord } from '#server/domain/partners/experts/profile.ts';
import type { ListedExpert } from '#server/domain/partners/experts/ranking.ts';
import { html, type Markup } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';
import type { InvalidForm, MessageForm } from './expert-message.ts';

const CATEGORIES: Record<string, string> = {
  'outsourcing-customer-service': 'Outsourced customer service',
  'lead-generation': 'Lead generation',
  'custom-development': 'Custom development',
  'product-implementation': 'Product implementation',
  'chatbot-building': 'Chatbot building',
  'chat-strategy-consultancy': 'Chat strategy consultancy',
  training: 'Training',
  'api-and-integrations': 'API and integrations',
};

const countryName = (code: string): string => new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code;
const languageName = (code: string): string => new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;

const renderTags = (categories: readonly string[]): Markup =>
  html`<ul class="tags">${categories.map((code) => html`<li>${CATEGORIES[code] ?? code}</li>`)}</ul>`;

const renderLogo = (logoKey: string, size: number): Markup =>
  html`<img class="logo" src="${logoPathOf(logoKey)}" alt="" width="${size}" height="${size}">`;

/** External links, without passing on our ranking or referrer. */
const link = (url: string): Markup =>
  html`<a href="${url}" rel="nofollow noopener noreferrer ugc">${url.replace(/^https?:\/\//, '').replace(/\/$/, '')}</a>`;

export const renderExperts = (experts: readonly ListedExpert[]): string =>
  renderPage({
    title: 'Experts – Parley',
    body: html`<main>
<h1>Experts</h1>
<p>Partners who set up Parley, build integrations, or answer chats for you.</p>
${experts.length === 0 ? html`<p class="muted">No experts yet.</p>` : undefined}
<ul class="experts">${experts.map(
      ({ partnerId, company, shortDescription, country, categories, logoKey }) => html`<li>
${renderLogo(logoKey, 72)}
<div>
<h2><a href="/experts/${partnerId}">${company}</a></h2>
<p class="muted">${countryName(country)}</p>
<p>${shortDescription}</p>
${renderTags(categories)}
</div>
</li>`,
    )}</ul>
</main>`,
  });

const renderFact = (name: string, value: Markup | string): Markup | undefined =>
  value === '' ? undefined : html`<dt>${name}</dt><dd>${value}</dd>`;

const renderFacts = (expert: ExpertRecord): Markup => {
  const { country, phone, website, agents, languages, hourRate, projectRate, socials } = expert;
  const shown = socials.filter((url) => url !== '');
  return html`<dl class="details">
${renderFact('Country', countryName(country))}
${renderFact('Website', link(website))}
${renderFact('Phone', phone)}
${renderFact('Team', agents === '' ? '' : `${agents} people`)}
${renderFact('Languages', languages.map(languageName).join(', '))}
${renderFact('Hourly rate', hourRate)}
${renderFact('Project rate', projectRate)}
${shown.length > 0 ? renderFact('Social media', html`${shown.map((url) => html`${link(url)}<br>`)}`) : undefined}
</dl>`;
};

const renderComment = ({ comment, author, website }: CommentRecord): Markup => html`<li>
<blockquote>${comment}</blockquote>
<p class="muted">${author}${website === '' ? undefined : html`, ${link(website)}`}</p>
</li>`;

const field = (form: InvalidForm | undefined, name: keyof MessageForm, label: string, type: string): Markup => {
  const error = form?.errors[name];
  const typed = form?.typed[name] ?? '';
  const errorAttributes = error ? html` aria-invalid="true" aria-describedby="${name}-error"` : undefined;
  return html`<div class="field"><label for="${name}">${label}</label>
${
  type === 'textarea'
    ? html`<textarea id="${name}" name="${name}" rows="6" maxlength="5000" required${errorAttributes}>${typed}</textarea>`
    : html`<input id="${name}" name="${name}" type="${type}" autocomplete="${name}" maxlength="200" required value="${typed}"${errorAttributes}>`
}
${error ? html`<p class="error" id="${name}-error">${error}</p>` : undefined}</div>`;
};

export const renderExpert = (expert: ExpertRecord, comments: readonly CommentRecord[], form?: InvalidForm): string =>
  renderPage({
    title: `${expert.company} – Parley experts`,
    body: html`<main class="expert">
<p><a href="/experts">All experts</a></p>
<header>${renderLogo(expert.logoKey!, 120)}<div><h1>${expert.company}</h1><p>${expert.shortDescription}</p></div></header>
${renderTags(expert.categories)}
<div class="long">${expert.description.split(/\n+/).map((line) => html`<p>${line}</p>`)}</div>
${renderFacts(expert)}
${
  expert.projects.length > 0
    ? html`<h2>Projects</h2><ul>${expert.projects.map((url) => html`<li>${link(url)}</li>`)}</ul>`
    : undefined
}
${comments.length > 0 ? html`<h2>Reviews</h2><ul class="comments">${comments.map(renderComment)}</ul>` : undefined}
<h2 id="write">Send a message</h2>
<form method="post" action="/experts/${expert.partnerId}#write">
${field(form, 'name', 'Your name', 'text')}
${field(form, 'email', 'Your email', 'email')}
${field(form, 'text', 'Your message', 'textarea')}
<button class="button" type="submit">Send message</button>
</form>
</main>`,
  });
