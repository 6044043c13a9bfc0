import PostalMime, { type Address, type Attachment, type Email, type Mailbox } from 'postal-mime';
import { cleanHtml, textOfHtml } from './clean-html.ts';
import type { ParsedAddress, ParsedAttachment, ParsedMail } from './parsed-mail.ts';

const LIMITS = { maxNestingDepth: 50, maxHeadersSize: 512 * 1024, forceRfc822Attachments: true };
const MAX_CHARACTERS = 200_000;
const MAX_ATTACHMENTS = 200;
const MAX_REFERENCES = 50;
const MAX_HEADER_CHARACTERS = 4_000;

const MESSAGE_ID = /<[^\s<>\p{Cc}]{1,498}>/gu;

/** Each byte becomes one character, so nothing is lost and nothing can fail. */
const toLatin1 = (raw: Uint8Array): string =>
  Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');

const bodyOf = (raw: Uint8Array): string => {
  const mail = toLatin1(raw);
  const end = mail.search(/\r?\n\r?\n/);
  return end < 0 ? '' : mail.slice(end).trim();
};

/** A body that declares parts but has none is kept as text. */
const hasLostBody = ({ text, html, attachments }: Email, raw: Uint8Array): boolean =>
  attachments.length === 0 && !text?.trim() && !html?.trim() && bodyOf(raw) !== '';

const idsIn = (text: string, maxCount: number): string[] => {
  const ids: string[] = [];
  for (const [id] of text.matchAll(MESSAGE_ID)) {
    if (ids.length === maxCount) break;
    ids.push(id);
  }
  return ids;
};

const toMailboxes = (field: Address | Address[] | undefined): Mailbox[] =>
  (field === undefined ? [] : Array.isArray(field) ? field : [field]).flatMap((one) => one.group ?? one);

const firstOf = (field: Address | Address[] | undefined): ParsedAddress | undefined => {
  const found = toMailboxes(field).find(({ address }) => address.includes('@'));
  return found && { address: found.address.trim(), name: found.name };
};

const toBytes = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer);

const toAttachment = (attachment: Attachment): ParsedAttachment => {
  const isMail = attachment.mimeType === 'message/rfc822';
  return {
    name: attachment.filename ?? (isMail ? 'message.eml' : 'attachment'),
    contentType: attachment.mimeType,
    content: toBytes(attachment),
  };
};

const headersOf = ({ headers }: Email): Record<string, string> => {
  const values = new Map<string, string[]>();
  for (const { key, value } of headers) values.set(key, [...(values.get(key) ?? []), value]);
  return Object.fromEntries([...values].map(([key, all]) => [key, all.join(', ').slice(0, MAX_HEADER_CHARACTERS)]));
};

const receiversOf = (email: Email, headers: Record<string, string>): string[] => [
  ...toMailboxes(email.to).map(({ address }) => address),
  ...toMailboxes(email.cc).map(({ address }) => address),
  ...['delivered-to', 'x-original-to', 'envelope-to'].flatMap((name) => headers[name]?.split(',') ?? []),
];

const referencesOf = ({ inReplyTo, references }: Email): string[] => {
  const before = idsIn(references ?? '', Number.POSITIVE_INFINITY).toReversed();
  return [...new Set([...idsIn(inReplyTo ?? '', MAX_REFERENCES), ...before])].slice(0, MAX_REFERENCES);
};

const toParsed = (email: Email, raw: Uint8Array): ParsedMail => {
  const headers = headersOf(email);
  const html = email.html ? cleanHtml(email.html) : '';
  const text = email.text?.trim() || textOfHtml(html);
  const [messageId] = idsIn(email.messageId ?? '', 1);
  const from = firstOf(email.from) ?? firstOf(email.sender);
  const replyTo = firstOf(email.replyTo);
  const isReport = headers['content-type']?.toLowerCase().includes('multipart/report') ?? false;
  return {
    ...(from ? { from } : {}),
    ...(replyTo ? { replyTo } : {}),
    to: receiversOf(email, headers),
    ...(email.subject ? { subject: email.subject } : {}),
    ...(messageId ? { messageId } : {}),
    references: referencesOf(email),
    text: text.slice(0, MAX_CHARACTERS),
    ...(html ? { html } : {}),
    attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map(toAttachment),
    headers,
    mentionedIds: isReport || !from ? idsIn(toLatin1(raw), MAX_REFERENCES) : [],
    malformed:
      !from || text.length > MAX_CHARACTERS || email.attachments.length > MAX_ATTACHMENTS || hasLostBody(email, raw),
  };
};

/** The fallback for an email that cannot be parsed: its bytes as text. */
export const parseBare = (raw: Uint8Array): ParsedMail => ({
  to: [],
  references: [],
  text: toLatin1(raw.subarray(0, MAX_CHARACTERS)),
  attachments: [],
  headers: {},
  mentionedIds: [],
  malformed: true,
});

/** Parses any bytes as an email; never fails. */
export const parseMail = async (raw: Uint8Array): Promise<ParsedMail> => {
  try {
    return toParsed(await PostalMime.parse(raw, LIMITS), raw);
  } catch {
    return parseBare(raw);
  }
};
