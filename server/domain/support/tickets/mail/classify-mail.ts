import type { Automatic } from '../records.ts';
import type { ReadMail } from './read-mail.ts';

const OWN_MESSAGE_ID = /<parley-[0-9a-f]{32}@[^\s<>]+>/;
const MACHINES = /^(mailer-daemon|postmaster|mail-daemon)@/i;
const BULK = /^(bulk|junk|list|auto_?reply)$/i;

const isLoop = ({ messageId, headers }: ReadMail): boolean =>
  OWN_MESSAGE_ID.test(messageId ?? '') || OWN_MESSAGE_ID.test(headers['x-loop'] ?? '');

const isReport = ({ headers }: ReadMail): boolean =>
  /multipart\/report/i.test(headers['content-type'] ?? '') &&
  !/disposition-notification/i.test(headers['content-type']!);

/** Classifies automatic mails. Answering one could cause an endless loop. */
export const classifyMail = (mail: ReadMail, envelopeFrom: string): Automatic | undefined => {
  const { headers, from } = mail;
  if (isLoop(mail)) return 'loop';
  if (isReport(mail) || headers['x-failed-recipients'] !== undefined || MACHINES.test(from?.address ?? ''))
    return 'bounce';
  const submitted = headers['auto-submitted']?.split(/[;,(]/)[0]?.trim().toLowerCase();
  const isMarked =
    (submitted !== undefined && submitted !== '' && submitted !== 'no') ||
    BULK.test(headers.precedence?.trim() ?? '') ||
    ['x-autoreply', 'x-autorespond', 'list-id', 'list-unsubscribe'].some((name) => headers[name] !== undefined) ||
    /disposition-notification/i.test(headers['content-type'] ?? '');
  const wantsNoAnswer = envelopeFrom === '' || headers['return-path']?.trim() === '<>';
  return isMarked || wantsNoAnswer ? 'auto_reply' : undefined;
};

export const isOurMessageId = (id: string): boolean => OWN_MESSAGE_ID.test(id);
