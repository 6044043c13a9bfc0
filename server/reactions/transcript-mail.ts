import { randomUUID } from 'node:crypto';
import type { Transcript } from '#server/domain/support/archives/records.ts';
import type { OutgoingMail } from '#server/jobs/mail-queue.ts';
import { escapeHtml } from './escape-html.ts';

const headOf = ({ visitor, agents, date, timeZone }: Transcript): string[] => [
  `Chat on ${date} (time zone: ${timeZone})`,
  `Visitor: ${visitor}`,
  ...(agents.length > 0 ? [`Agents: ${agents.join(', ')}`] : []),
];

const SHORTENED = 'The rest of this chat is too long for an email.';

const toText = (transcript: Transcript): string =>
  [
    headOf(transcript).join('\n'),
    ...transcript.lines.map(({ at, author, text }) => `[${at}] ${author}:\n${text}`),
    ...(transcript.shortened ? [SHORTENED] : []),
  ].join('\n\n');

const toHtml = (transcript: Transcript): string =>
  [
    '<!doctype html>',
    `<p>${headOf(transcript).map(escapeHtml).join('<br>')}</p>`,
    ...transcript.lines.map(
      ({ at, author, text }) =>
        `<p><b>${escapeHtml(author)}</b> <small>${at}</small><br>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`,
    ),
    ...(transcript.shortened ? [`<p>${SHORTENED}</p>`] : []),
  ].join('\n');

/** The subject contains no text of visitors or agents; their messages are in the body only. */
export const transcriptMail = (transcript: Transcript): OutgoingMail => ({
  to: { address: transcript.to },
  subject: `Chat transcript, ${transcript.date}`,
  text: toText(transcript),
  html: toHtml(transcript),
  messageId: `<${randomUUID()}@parley>`,
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
});
