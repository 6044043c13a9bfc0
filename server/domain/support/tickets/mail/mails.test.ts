import { describe, expect, it } from 'vitest';
import { classifyMail } from './classify-mail.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { ReadMail } from './read-mail.ts';

const mail = (headers: Record<string, string>, rest: Partial<ReadMail> = {}): ReadMail => ({
  ...{ from: { address: 'ann@home.test', name: '' }, to: [], references: [], text: 'x', attachments: [] },
  ...{ headers, mentionedIds: [], malformed: false },
  ...rest,
});

describe('automatic mails are recognized', () => {
  const ours = `<parley-${'a'.repeat(32)}@in.test>`;
  const cases: [string, ReadMail, string, ReturnType<typeof classifyMail>][] = [
    ['a person', mail({}), 'ann@home.test', undefined],
    ['a mail marked as not automatic', mail({ 'auto-submitted': 'no' }), 'ann@home.test', undefined],
    ['first class', mail({ precedence: 'first-class' }), 'ann@home.test', undefined],
    ['an auto-reply', mail({ 'auto-submitted': 'auto-replied; owner-email="x"' }), 'ann@home.test', 'auto_reply'],
    ['bulk', mail({ precedence: 'Bulk' }), 'ann@home.test', 'auto_reply'],
    ['a list', mail({ 'list-id': '<a.test>' }), 'ann@home.test', 'auto_reply'],
    ['no sender', mail({}), '', 'auto_reply'],
    ['no return path', mail({ 'return-path': '<>' }), 'ann@home.test', 'auto_reply'],
    [
      'a receipt',
      mail({ 'content-type': 'multipart/report; report-type=disposition-notification' }),
      'a@b.test',
      'auto_reply',
    ],
    ['a report', mail({ 'content-type': 'multipart/report; report-type=delivery-status' }), '', 'bounce'],
    ['a daemon', mail({}, { from: { address: 'Mailer-Daemon@far.test', name: '' } }), 'x@far.test', 'bounce'],
    ['failed recipients', mail({ 'x-failed-recipients': 'a@b.test' }), 'x@far.test', 'bounce'],
    ['our own Message-ID', mail({}, { messageId: ours }), 'ann@home.test', 'loop'],
    ['our own loop header', mail({ 'x-loop': ours }), 'ann@home.test', 'loop'],
    ['another sender’s loop header', mail({ 'x-loop': 'ann@home.test' }), 'ann@home.test', undefined],
  ];
  for (const [name, read, from, expected] of cases)
    it(`${name}: ${expected ?? 'no'}`, () => {
      expect(classifyMail(read, from)).toBe(expected);
    });
});

describe('the fingerprint of a mail', () => {
  const at = new Date('2026-03-02T10:00:00Z');
  const print = (text: string, when = at) => fingerprintOf(Buffer.from(text), when).toString('hex');
  const one = 'From: a@far.test\r\nMessage-ID: <1@far.test>\r\nSubject: x\r\n\r\nbody\r\n';

  it('ignores added headers, folding, trailing line breaks and time', () => {
    expect(print(`Received: by us\r\n${one}`)).toBe(print(one));
    expect(print(one.replace('Subject: x', 'Subject:\r\n x'))).toBe(print(one));
    expect(print(`${one}\r\n\r\n`, new Date('2030-01-01T00:00:00Z'))).toBe(print(one));
  });

  it('differs for another sender, body or Message-ID', () => {
    expect(print(one.replace('a@far', 'b@far'))).not.toBe(print(one));
    expect(print(one.replace('body', 'Body'))).not.toBe(print(one));
    expect(print(one.replace('<1@', '<2@'))).not.toBe(print(one));
  });

  it('without a Message-ID is the same for a day', () => {
    const nameless = one.replace('Message-ID: <1@far.test>\r\n', '');
    expect(print(nameless)).toBe(print(nameless, new Date('2026-03-02T23:00:00Z')));
    expect(print(nameless)).not.toBe(print(nameless, new Date('2026-03-03T10:00:00Z')));
  });
});
