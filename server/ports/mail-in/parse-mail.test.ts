import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMail } from './parse-mail.ts';

const parse = (...lines: string[]) => parseMail(Buffer.from(lines.join('\r\n')));

describe('a mail', () => {
  it('is parsed with names, addresses, references and attachments', async () => {
    const mail = await parse(
      'From: =?utf-8?Q?J=C3=B6rg?= <joerg@far.test>',
      'Reply-To: Sales <sales@far.test>',
      'To: 1+a.b@in.test, Friends: c@far.test;',
      'Cc: d@far.test',
      'Delivered-To: e@in.test',
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe?=',
      'Message-ID: <own@far.test>',
      'In-Reply-To: <last@in.test>',
      'References: <first@in.test>',
      ' <last@in.test>',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'caf=E9',
      '--b',
      'Content-Type: text/plain; name="a.txt"',
      'Content-Disposition: attachment; filename="a.txt"',
      '',
      'content',
      '--b--',
    );
    expect(mail).toMatchObject({
      from: { address: 'joerg@far.test', name: 'Jörg' },
      replyTo: { address: 'sales@far.test', name: 'Sales' },
      to: ['1+a.b@in.test', 'c@far.test', 'd@far.test', 'e@in.test'],
      subject: 'Grüße',
      messageId: '<own@far.test>',
      references: ['<last@in.test>', '<first@in.test>'],
      text: 'café',
      malformed: false,
    });
    expect(mail.attachments.map(({ name, content }) => [name, Buffer.from(content).toString().trim()])).toEqual([
      ['a.txt', 'content'],
    ]);
  });

  it('without text gets the text of its HTML', async () => {
    const mail = await parse('From: a@far.test', 'Content-Type: text/html', '', '<p>Hello<br>you</p>');
    expect(mail).toMatchObject({ text: 'Hello\nyou', html: '<p>Hello<br />you</p>' });
  });

  it('inside another email stays an attachment', async () => {
    const mail = await parse('From: a@far.test', 'Content-Type: message/rfc822', '', 'From: b@far.test', '', 'inner');
    expect(mail.attachments).toMatchObject([{ name: 'message.eml', contentType: 'message/rfc822' }]);
  });

  it.each([
    ['without a boundary', 'multipart/mixed'],
    ['with a boundary that does not occur', 'multipart/alternative; boundary=b'],
  ])('%s is kept unchanged', async (_, type) => {
    const head = ['From: a@far.test', `Content-Type: ${type}`, ''];
    expect(await parse(...head, 'the words')).toMatchObject({ from: { address: 'a@far.test' }, malformed: true });
    expect(await parse(...head, '', ' ')).toMatchObject({ malformed: false });
  });

  it('can be any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), async (bytes) => {
        const { text, to, attachments } = await parseMail(bytes);
        expect([typeof text, Array.isArray(to), Array.isArray(attachments)]).toEqual(['string', true, true]);
      }),
      { numRuns: 200 },
    );
  });

  it('can be any fragments of emails in any order', async () => {
    const piece = fc.constantFrom(
      ...[
        'From: a@far.test',
        'From:',
        'Subject: =?utf-8?B?w4Q?=',
        'Content-Type: multipart/mixed; boundary=b',
        '--b',
        '--b--',
        '',
      ],
      ...[
        'Content-Type: text/html; charset=x',
        'Content-Transfer-Encoding: base64',
        '<p>x',
        'AAAA====',
        ' folded',
        '\t',
        '\0',
      ],
      ...[
        'Content-Type: message/rfc822',
        "Content-Disposition: attachment; filename*=utf-8''%ff",
        'References: <',
        ':',
      ],
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        expect(await parse(...pieces)).toHaveProperty('text');
      }),
      { numRuns: 300 },
    );
  });
});
