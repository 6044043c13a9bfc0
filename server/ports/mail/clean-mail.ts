import { type Mail, type MailAddress, MailRejectedError } from './mail.ts';

// A single address without comments, quoting or lists, so that it cannot end the header or add a recipient.
const ADDRESS = /^[^\s\p{Cc}<>()[\],;:\\"@]+@[^\s\p{Cc}<>()[\],;:\\"@]+$/u;
const MAX_ADDRESS_LENGTH = 254;
const HEADER_NAME = /^[A-Za-z0-9-]+$/;
// Headers that the transport writes itself.
const OWN_HEADERS = /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*)$/i;
const MESSAGE_ID = /^<[^\s\p{Cc}<>]+>$/u;

/**
 * Sanitizes an email: names, subjects and header values may come from visitors, so their line breaks become spaces. An
 * invalid address cannot be repaired and is rejected.
 */
export const cleanMail = (mail: Mail): Mail => ({
  from: cleanAddress(mail.from),
  to: cleanAddress(mail.to),
  ...(mail.replyTo && { replyTo: cleanAddress(mail.replyTo) }),
  subject: toOneLine(mail.subject),
  text: mail.text,
  ...(mail.html !== undefined && { html: mail.html }),
  ...(mail.messageId !== undefined && { messageId: checkMessageId(mail.messageId) }),
  ...(mail.headers && { headers: cleanHeaders(mail.headers) }),
});

const cleanAddress = ({ name, address }: MailAddress): MailAddress => {
  if (address.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(address)) throw new MailRejectedError('invalid address');
  return name === undefined ? { address } : { name: toOneLine(name), address };
};

const checkMessageId = (messageId: string): string => {
  if (!MESSAGE_ID.test(messageId)) throw new MailRejectedError('not a message id');
  return messageId;
};

const cleanHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!HEADER_NAME.test(name) || OWN_HEADERS.test(name)) throw new MailRejectedError(`reserved header: ${name}`);
      return [name, toOneLine(value)];
    }),
  );

const toOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
