import type { MailAddress } from '#server/ports/mail/mail.ts';
import type { StoredMail } from '#server/ports/mail/outbox.ts';
import { html, type Part } from '../layout/html.ts';
import { renderPage } from '../layout/layout.ts';

const address = ({ name, address: mailbox }: MailAddress): string => (name ? `${name} <${mailbox}>` : mailbox);

const time = (at: Date): string => at.toISOString().replace('T', ' ').slice(0, 19);

export const renderMails = (mails: StoredMail[]): string =>
  renderPage({
    title: 'Outbox – Parley',
    body: html`<main>
<h1>Outbox</h1>
<p class="lead">No mail server is configured, so outgoing emails are kept here. Newest first; only in development mode.</p>
${
  mails.length === 0
    ? html`<p>No emails yet.</p>`
    : html`<ul class="mails">${mails.map(
        ({ id, at, mail }) => html`
<li><a href="/dev/mail/${id}">${mail.subject}</a><span>${address(mail.to)}</span><time>${time(at)}</time></li>`,
      )}</ul>`
}
</main>`,
  });

const line = (name: string, value: Part) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** Shown as source: an email's HTML must not become part of our page. */
export const renderMail = ({ at, mail }: StoredMail): string =>
  renderPage({
    title: `${mail.subject} – Parley`,
    body: html`<main>
<p><a href="/dev/mail">All emails</a></p>
<h1>${mail.subject}</h1>
<dl class="facts">${[
      line('From', address(mail.from)),
      line('To', address(mail.to)),
      mail.replyTo && line('Reply to', address(mail.replyTo)),
      line('Time', `${time(at)} UTC`),
    ]}</dl>
<pre class="mail">${mail.text}</pre>
${mail.html && html`<h2>HTML source</h2><pre class="mail">${mail.html}</pre>`}
</main>`,
  });
