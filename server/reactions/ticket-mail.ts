import type { DomainEvent } from '#server/domain/events.ts';
import type { TicketReplyMail } from '#server/domain/support/tickets/mail/reply-mail.ts';
import type { OutgoingMail } from '#server/jobs/mail-queue.ts';
import { escapeHtml } from './escape-html.ts';

const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`)
    .join('\n');

const link = (url: string, text: string): string => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

const toText = ({ text, agentName, files, ratingUrl }: TicketReplyMail): string =>
  [
    text,
    agentName,
    ...(files.length > 0 ? [files.map(({ name, url }) => `${name}: ${url}`).join('\n')] : []),
    `-- \nHow did we do? ${ratingUrl}`,
  ].join('\n\n');

const toHtml = ({ text, agentName, files, ratingUrl }: TicketReplyMail): string =>
  [
    '<!doctype html>',
    paragraphs(text),
    `<p>${escapeHtml(agentName)}</p>`,
    ...(files.length > 0 ? [`<p>${files.map(({ name, url }) => link(url, name)).join('<br>')}</p>`] : []),
    `<p><small>${link(ratingUrl, 'How did we do?')}</small></p>`,
  ].join('\n');

/** Mail programs keep it in the thread of earlier mails, by its headers or by its subject. */
export const ticketReply = ({ mail }: Extract<DomainEvent, { type: 'ticket_replied' }>): OutgoingMail => ({
  to: { name: mail.to.name, address: mail.to.mail },
  ...(mail.replyTo ? { replyTo: { address: mail.replyTo } } : {}),
  subject: mail.isAnswer && !/^re:/i.test(mail.subject) ? `Re: ${mail.subject}` : mail.subject,
  text: toText(mail),
  html: toHtml(mail),
  messageId: mail.messageId,
  headers: {
    ...(mail.inReplyTo ? { 'In-Reply-To': mail.inReplyTo } : {}),
    ...(mail.references.length > 0 ? { References: mail.references.join(' ') } : {}),
    // Auto-responders do not reply, and a copy that is sent back to us is recognized.
    'X-Auto-Response-Suppress': 'OOF, AutoReply',
    'X-Loop': mail.messageId,
  },
});
