import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cleanMail } from './clean-mail.ts';
import { type Mail, MailRejectedError } from './mail.ts';

const mail: Mail = {
  from: { name: 'Parley', address: 'parley@example.com' },
  to: { name: 'Ann', address: 'ann@example.com' },
  subject: 'Welcome',
  text: 'Hello\r\nAnn',
  messageId: '<1@example.com>',
  headers: { 'List-Id': 'a list' },
};

const LINE_BREAK = /[\r\n\0\u0085\u2028\u2029]/;

it('leaves a valid email unchanged', () => {
  expect(cleanMail(mail)).toEqual(mail);
});

it('removes line breaks from everything that becomes a header', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'é', ' ', ':', '\r', '\n', '\0', '\u0085', '\u2028', 'Bcc: b@c.de'),
  });
  fc.assert(
    fc.property(text, (evil) => {
      const cleaned = cleanMail({
        ...mail,
        from: { name: evil, address: 'parley@example.com' },
        to: { name: evil, address: 'ann@example.com' },
        replyTo: { name: evil, address: 'bob@example.com' },
        subject: evil,
        headers: { 'X-Note': evil },
      });
      const { text: _, ...headers } = cleaned;
      const lines = [
        headers.from.name,
        headers.to.name,
        headers.replyTo?.name,
        headers.subject,
        headers.headers?.['X-Note'],
      ];
      for (const line of lines) expect(line).not.toMatch(LINE_BREAK);
    }),
  );
});

it.each([
  '',
  'ann',
  'ann@',
  '@example.com',
  'ann@example.com, bob@example.com',
  'ann@example.com\r\nBcc: bob@example.com',
  'ann@example.com\n',
  'ann@example.com>\r\nRCPT TO:<bob@example.com',
  'Ann <ann@example.com>',
  '"ann bob"@example.com',
  'ann@bob@example.com',
  'ann\0@example.com',
  `${'a'.repeat(250)}@b.de`,
])('rejects the address %j', (address) => {
  for (const field of ['from', 'to', 'replyTo']) {
    expect(() => cleanMail({ ...mail, [field]: { address } })).toThrow(MailRejectedError);
  }
});

it.each(['X-Note\r\nBcc', 'X Note', 'X:', '', 'Bcc', 'to', 'Content-Type', 'subject'])(
  'rejects the header %j',
  (name) => {
    expect(() => cleanMail({ ...mail, headers: { [name]: 'value' } })).toThrow(MailRejectedError);
  },
);

it.each(['id', '<a b@c>', '<a@b>\r\nBcc: x', '<>'])('rejects the message id %j', (messageId) => {
  expect(() => cleanMail({ ...mail, messageId })).toThrow(MailRejectedError);
});
