import { gzipSync } from 'node:zlib';

export interface EdgeCaseEmail {
  name: string;
  raw: Buffer;
  envelopeFrom?: string;
  /** A recipient in addition to the organization's address. */
  to?: string;
  /** The expected result if it is not a new ticket. */
  expect?: 'thread' | 'automatic' | 'automatic in thread';
}

export interface EdgeCaseEmailContext {
  /** The organization's address. */
  address: string;
  /** The signed address of a ticket of the requester. */
  ticketAddress: string;
  requester: string;
  /** The Message-ID of our reply to the ticket. */
  ourMessageId: string;
  /** The login of an agent. */
  agent: string;
}

const CRLF = '\r\n';
const lines = (...all: string[]): string => all.join(CRLF);
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const nested = (depth: number): string =>
  depth === 0
    ? lines('Content-Type: text/plain', '', 'the innermost')
    : lines(
        `Content-Type: multipart/mixed; boundary="b${depth}"`,
        '',
        `--b${depth}`,
        nested(depth - 1),
        `--b${depth}--`,
      );
const forwarded = (depth: number): string =>
  depth === 0
    ? lines('From: deep@home.test', 'Subject: deep', '', 'the innermost email')
    : lines(`From: f${depth}@home.test`, 'Content-Type: message/rfc822', '', forwarded(depth - 1));

/** Malformed, malicious, huge and looping emails. Each must become a ticket or a message of a ticket. */
export const edgeCaseEmails = (context: EdgeCaseEmailContext): EdgeCaseEmail[] => {
  const { address, ticketAddress, requester, ourMessageId, agent } = context;
  let count = 0;
  const emails: EdgeCaseEmail[] = [];
  const add = (name: string, raw: Buffer | string, rest: Partial<EdgeCaseEmail> = {}): void =>
    void emails.push({ name, raw: Buffer.isBuffer(raw) ? raw : Buffer.from(raw), ...rest });
  /** Adds an email with default headers. */
  const addWithHeaders = (
    name: string,
    headers: string[],
    body: string | Buffer,
    rest: Partial<EdgeCaseEmail> = {},
  ): void => {
    count += 1;
    const hasHeader = (header: string): boolean => headers.some((line) => line.toLowerCase().startsWith(`${header}:`));
    const defaults = [
      ...(hasHeader('from') ? [] : [`From: Sender ${count} <sender${count}@far.test>`]),
      ...(hasHeader('to') ? [] : [`To: ${address}`]),
      ...(hasHeader('subject') ? [] : [`Subject: ${name}`]),
      ...(hasHeader('message-id') ? [] : [`Message-ID: <edge-case-${count}@far.test>`]),
      'Date: Mon, 2 Mar 2026 10:00:00 +0000',
    ];
    const head = Buffer.from(`${[...defaults, ...headers].join(CRLF)}${CRLF}${CRLF}`);
    add(name, Buffer.concat([head, Buffer.isBuffer(body) ? body : Buffer.from(body)]), {
      envelopeFrom: `sender${count}@far.test`,
      ...rest,
    });
  };

  addWithHeaders('plain text', [], 'Hello');
  addWithHeaders('no body', [], '');
  addWithHeaders('only whitespace', [], ' \r\n\t\r\n');
  add('no headers at all', 'just some words, nothing else');
  add('empty first line', `${CRLF}a body without headers`);
  add('one byte', 'x');
  add('only line breaks', CRLF.repeat(5));
  add('only NULs', Buffer.alloc(64));
  add('random bytes', Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919 + 13) % 256)));
  add('unterminated headers', lines('From: cut@far.test', 'Subject: cut off', 'X-More: and'));
  add('bare line feeds', 'From: lf@far.test\nSubject: line feeds\n\nunix\nlines\n');
  add('bare carriage returns', 'From: cr@far.test\rSubject: returns\r\rold\rmac');
  addWithHeaders('NUL in the subject', ['Subject: a\0b\0c'], 'x\0y\0z');
  addWithHeaders('NUL in the name', ['From: "a\0b" <nul@far.test>'], 'hello');
  addWithHeaders('no From', ['From:'], 'who am I?');
  addWithHeaders('two From headers', ['From: one@far.test', 'From: two@far.test'], 'both of us');
  addWithHeaders('an empty local part', ['From: ""@far.test'], 'nobody');
  addWithHeaders('From without an address', ['From: the management'], 'hello');
  addWithHeaders('a group as sender', ['From: Friends: a@far.test, b@far.test;'], 'we are several');
  addWithHeaders(
    'a broken encoded word',
    ['Subject: =?utf-8?B?w4Q=?= =?nope?Q?=C3?= =?utf-8?X?zz?= =?utf-8?Q?=C3?='],
    'hm',
  );
  addWithHeaders(
    'an encoded name with a line break',
    ['From: =?utf-8?Q?Eve=0D=0ABcc:_all@far.test?= <eve@far.test>'],
    'inject',
  );
  addWithHeaders('raw 8-bit headers in latin1', [], 'x', {});
  add(
    '8-bit headers',
    latin1(lines('From: J\u00f6rg <joerg@far.test>', 'Subject: Gr\u00fc\u00dfe', '', '\u00e4\u00f6\u00fc')),
  );
  addWithHeaders('8-bit without a charset', [], latin1('caf\u00e9 cr\u00e8me'));
  addWithHeaders('wrong charset', ['Content-Type: text/plain; charset=utf-8'], latin1('\u00e4\u00f6\u00fc is latin1'));
  addWithHeaders('unknown charset', ['Content-Type: text/plain; charset="x-klingon"'], 'nuqneH');
  addWithHeaders('SQL in the charset', ['Content-Type: text/plain; charset="\'; drop table tickets"'], 'hello');
  addWithHeaders(
    'Japanese',
    ['Content-Type: text/plain; charset=iso-2022-jp'],
    Buffer.from('\x1b$B$3$s$K$A$O\x1b(B', 'latin1'),
  );
  addWithHeaders('UTF-7', ['Content-Type: text/plain; charset=utf-7'], '+ADw-script+AD4-');
  addWithHeaders('UTF-16', ['Content-Type: text/plain; charset=utf-16le'], Buffer.from('hello', 'utf16le'));
  addWithHeaders('Windows-1252', ['Content-Type: text/plain; charset=windows-1252'], Buffer.from([0x80, 0x93, 0x94]));
  addWithHeaders('broken base64', ['Content-Transfer-Encoding: base64'], 'SGVsbG8!!!@@@gd29ybGQ===x');
  addWithHeaders('broken quoted-printable', ['Content-Transfer-Encoding: quoted-printable'], 'a=ZZb=\r\n=4\r\n=');
  addWithHeaders(
    'unknown transfer encoding',
    ['Content-Transfer-Encoding: x-uuencode'],
    'begin 644 a.txt\r\n#86)C\r\n`\r\nend',
  );
  addWithHeaders('a broken content type', ['Content-Type: ;;;=/"text'], 'hello');
  addWithHeaders('a content type without a slash', ['Content-Type: text'], 'hello');
  addWithHeaders('multipart without a boundary', ['Content-Type: multipart/mixed'], '--x\r\n\r\nlost\r\n--x--');
  addWithHeaders('boundary that does not occur', ['Content-Type: multipart/mixed; boundary=never'], 'no part at all');
  addWithHeaders(
    'unterminated boundary',
    ['Content-Type: multipart/mixed; boundary=b'],
    lines('--b', 'Content-Type: text/plain', '', 'the beginning'),
  );
  addWithHeaders(
    'an empty boundary',
    ['Content-Type: multipart/mixed; boundary=""'],
    lines('--', 'Content-Type: text/plain', '', 'x', '----'),
  );
  addWithHeaders(
    'nested part with the same boundary',
    ['Content-Type: multipart/mixed; boundary=b'],
    lines('--b', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'twice', '--b--', '--b--'),
  );
  addWithHeaders(
    'a thousand parts',
    ['Content-Type: multipart/mixed; boundary=b'],
    `${Array.from({ length: 1000 }, (_, at) => `--b\r\nContent-Type: text/plain; name="f${at}.txt"\r\nContent-Disposition: attachment\r\n\r\nfile ${at}\r\n`).join('')}--b--`,
  );
  add('nested forty deep', lines('From: nest@far.test', nested(40)));
  add('nested three hundred deep', lines('From: nest@far.test', nested(300)));
  add('nested forwarded emails', lines('Subject: fwd', forwarded(30)));
  addWithHeaders('a huge subject', [`Subject: ${'long '.repeat(20_000)}`], 'short');
  addWithHeaders('a line of a megabyte', [], 'x'.repeat(1_000_000));
  addWithHeaders(
    'ten thousand headers',
    Array.from({ length: 10_000 }, (_, at) => `X-H${at}: ${at}`),
    'many',
  );
  addWithHeaders('megabytes of headers', [`X-Big: ${'y'.repeat(1_500_000)}`], 'heavy');
  addWithHeaders('header folded into 3,000 lines', [`Subject: a${'\r\n b'.repeat(3_000)}`], 'folded');
  addWithHeaders(
    '11 MB attachment',
    ['Content-Type: multipart/mixed; boundary=b'],
    Buffer.concat([
      Buffer.from(
        lines(
          '--b',
          'Content-Type: application/octet-stream; name=big.bin',
          'Content-Disposition: attachment; filename=big.bin',
          'Content-Transfer-Encoding: base64',
          '',
          '',
        ),
      ),
      Buffer.from(
        Buffer.alloc(11 * 1024 * 1024, 7)
          .toString('base64')
          .replace(/(.{76})/g, '$1\r\n'),
      ),
      Buffer.from('\r\n--b--\r\n'),
    ]),
  );
  const attach = (name: string, fileName: string, type: string, content: Buffer | string): void =>
    addWithHeaders(
      name,
      ['Content-Type: multipart/mixed; boundary=b'],
      Buffer.concat([
        Buffer.from(
          lines(
            '--b',
            '',
            'see the file',
            '--b',
            `Content-Type: ${type}`,
            `Content-Disposition: attachment; filename=${fileName}`,
            'Content-Transfer-Encoding: base64',
            '',
            '',
          ),
        ),
        Buffer.from(Buffer.from(content).toString('base64')),
        Buffer.from('\r\n--b--\r\n'),
      ]),
    );
  attach('an executable as a PDF', '"invoice.pdf.exe"', 'application/pdf', 'MZ\x90\0not a pdf');
  attach('a script', '"run.js"', 'text/plain', 'WScript.Shell');
  attach('a path as file name', '"../../etc/passwd"', 'text/plain', 'root');
  attach('file name in an invalid charset', "utf-9''%ff%fe.txt", 'text/plain', 'hello');
  attach('right-to-left override in the file name', '"\u202Egpj.exe.txt"', 'text/plain', 'hello');
  attach(
    'winmail.dat',
    '"winmail.dat"',
    'application/ms-tnef',
    Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0, 1, 6, 0x90]),
  );
  attach('a gzip bomb', '"bomb.gz"', 'application/gzip', gzipSync(Buffer.alloc(5_000_000)));
  attach('an empty file', '"empty.txt"', 'text/plain', '');
  attach('HTML as an image', '"a.png"', 'image/png', '<html><script>alert(1)</script>');
  addWithHeaders('HTML only', ['Content-Type: text/html'], '<p>Hello <b>you</b></p><script>alert(1)</script>');
  addWithHeaders(
    'malicious HTML',
    ['Content-Type: text/html'],
    '<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><svg onload=alert(1)><style>*{}</style><iframe src=//evil.test></iframe><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  );
  addWithHeaders('HTML ten thousand deep', ['Content-Type: text/html'], `${'<div>'.repeat(10_000)}deep`);
  addWithHeaders('unterminated HTML', ['Content-Type: text/html'], '<p>Hello <a href="https://shop.test/');
  addWithHeaders(
    'alternatives with different texts',
    ['Content-Type: multipart/alternative; boundary=b'],
    lines(
      '--b',
      'Content-Type: text/plain',
      '',
      'the text',
      '--b',
      'Content-Type: text/html',
      '',
      '<p>the page</p>',
      '--b--',
    ),
  );
  addWithHeaders(
    'a calendar invitation',
    ['Content-Type: text/calendar; method=REQUEST'],
    lines('BEGIN:VCALENDAR', 'END:VCALENDAR'),
  );
  addWithHeaders(
    'signed',
    ['Content-Type: multipart/signed; boundary=b; protocol="application/pgp-signature"'],
    lines(
      '--b',
      '',
      'signed words',
      '--b',
      'Content-Type: application/pgp-signature',
      '',
      '-----BEGIN PGP SIGNATURE-----',
      '--b--',
    ),
  );
  addWithHeaders(
    'encrypted',
    ['Content-Type: multipart/encrypted; boundary=b'],
    lines('--b', 'Content-Type: application/octet-stream', '', 'secret', '--b--'),
  );

  // Automatic emails.
  addWithHeaders('an auto-reply', ['Auto-Submitted: auto-replied'], 'I am away', { expect: 'automatic' });
  addWithHeaders('a bulk email', ['Precedence: bulk'], 'Buy!', { expect: 'automatic' });
  addWithHeaders('a mailing list', ['List-Id: <all.far.test>'], 'To all', { expect: 'automatic' });
  addWithHeaders('no envelope sender', [], 'do not answer', { envelopeFrom: '', expect: 'automatic' });
  addWithHeaders(
    'a bounce of our email',
    ['From: MAILER-DAEMON@far.test', 'Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
    lines(
      '--b',
      '',
      'No such user',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Status: 5.1.1',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${ourMessageId}`,
      'Subject: Re: help',
      '',
      'the answer',
      '--b--',
    ),
    { envelopeFrom: '', expect: 'automatic in thread' },
  );
  addWithHeaders(
    'a bounce of something else',
    ['From: MAILER-DAEMON@far.test', 'Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
    lines('--b', '', 'No such user', '--b--'),
    { envelopeFrom: '', expect: 'automatic' },
  );
  addWithHeaders('our own email returned', [`Message-ID: ${ourMessageId}`, `X-Loop: ${ourMessageId}`], 'the answer', {
    expect: 'automatic in thread',
  });
  addWithHeaders(
    'an auto-reply to a ticket',
    [`To: ${ticketAddress}`, `From: ${requester}`, 'Auto-Submitted: auto-generated'],
    'away',
    { to: ticketAddress, expect: 'automatic in thread' },
  );

  // Replies to tickets.
  addWithHeaders(
    'an agent sender without the ticket address',
    [`From: Boss <${agent}>`, `In-Reply-To: ${ourMessageId}`],
    'as agent',
  );
  addWithHeaders('a reply', [`To: ${ticketAddress}`, `From: ${requester}`], 'Thank you', {
    to: ticketAddress,
    expect: 'thread',
  });
  addWithHeaders('a reply to the address in capitals', [`From: ${requester}`], 'THANKS', {
    to: ticketAddress.toUpperCase(),
    expect: 'thread',
  });
  addWithHeaders('a reply by In-Reply-To', [`From: ${requester}`, `In-Reply-To: ${ourMessageId}`], 'By reference', {
    expect: 'thread',
  });
  addWithHeaders('a reply from another sender to the ticket address', [`To: ${ticketAddress}`], 'I was copied', {
    to: ticketAddress,
    expect: 'thread',
  });
  addWithHeaders('an agent sender with the ticket address', [`From: Boss <${agent}>`], 'Send me the password', {
    to: ticketAddress,
    expect: 'thread',
  });
  addWithHeaders('References header of an unknown sender', [`References: ${ourMessageId}`], 'let me in');
  addWithHeaders('a forged ticket address', [`From: ${requester}`], 'let me in', {
    to: ticketAddress.replace(/\.([0-9a-f])/, (_, digit: string) => `.${digit === '0' ? '1' : '0'}`),
  });
  addWithHeaders('a truncated ticket address', [`From: ${requester}`], 'hi', {
    to: ticketAddress.replace(/\.[0-9a-f]+@/, '.@'),
  });
  addWithHeaders(
    'a thousand references',
    [`References: ${Array.from({ length: 1000 }, (_, at) => `<r${at}@far.test>`).join('\r\n ')}`],
    'x',
  );
  addWithHeaders('the same id, one sender', ['From: one@far.test', 'Message-ID: <same@far.test>'], 'I was first');
  addWithHeaders('the same id, another sender', ['From: two@far.test', 'Message-ID: <same@far.test>'], 'No, I');
  addWithHeaders('no Message-ID', ['Message-ID:'], 'nameless');
  addWithHeaders('a Message-ID of a megabyte', [`Message-ID: <${'m'.repeat(100_000)}@far.test>`], 'long id');
  addWithHeaders(
    'many recipients',
    [`To: ${Array.from({ length: 2000 }, (_, at) => `p${at}@far.test`).join(',\r\n ')}`],
    'to all',
  );
  return emails;
};
