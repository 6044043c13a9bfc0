import { gzipSync } from 'node:zlib';

export interface AwkwardMail {
  name: string;
  raw: Buffer;
  envelopeFrom?: string;
  /** Beside the account's own address. */
  to?: string;
  /** What becomes of it, where that is not simply a new ticket. */
  expect?: 'thread' | 'automatic' | 'automatic in thread';
}

export interface AwkwardWorld {
  /** The account's address. */
  address: string;
  /** The signed address of a ticket that somebody@home.test has. */
  ticketAddress: string;
  requester: string;
  /** Of the mail that answered it. */
  ourMessageId: string;
  /** An agent's login. */
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
    ? lines('From: deep@home.test', 'Subject: deep', '', 'the innermost letter')
    : lines(`From: f${depth}@home.test`, 'Content-Type: message/rfc822', '', forwarded(depth - 1));

/** Mails as they come in the world: broken, hostile, huge, and going in circles. Each must become a ticket or a message. */
export const awkwardMails = (world: AwkwardWorld): AwkwardMail[] => {
  const { address, ticketAddress, requester, ourMessageId, agent } = world;
  let count = 0;
  const mails: AwkwardMail[] = [];
  const keep = (name: string, raw: Buffer | string, rest: Partial<AwkwardMail> = {}): void =>
    void mails.push({ name, raw: Buffer.isBuffer(raw) ? raw : Buffer.from(raw), ...rest });
  /** With the usual headers before it. */
  const mail = (name: string, headers: string[], body: string | Buffer, rest: Partial<AwkwardMail> = {}): void => {
    count += 1;
    const has = (header: string): boolean => headers.some((line) => line.toLowerCase().startsWith(`${header}:`));
    const usual = [
      ...(has('from') ? [] : [`From: Sender ${count} <sender${count}@far.test>`]),
      ...(has('to') ? [] : [`To: ${address}`]),
      ...(has('subject') ? [] : [`Subject: ${name}`]),
      ...(has('message-id') ? [] : [`Message-ID: <awkward-${count}@far.test>`]),
      'Date: Mon, 2 Mar 2026 10:00:00 +0000',
    ];
    const head = Buffer.from(`${[...usual, ...headers].join(CRLF)}${CRLF}${CRLF}`);
    keep(name, Buffer.concat([head, Buffer.isBuffer(body) ? body : Buffer.from(body)]), {
      envelopeFrom: `sender${count}@far.test`,
      ...rest,
    });
  };

  mail('a plain one', [], 'Hello');
  mail('no body', [], '');
  mail('only white space', [], ' \r\n\t\r\n');
  keep('no headers at all', 'just some words, nothing else');
  keep('an empty line first', `${CRLF}a body without headers`);
  keep('one byte', 'x');
  keep('only line ends', CRLF.repeat(5));
  keep('only NULs', Buffer.alloc(64));
  keep('random bytes', Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919 + 13) % 256)));
  keep('headers without an end', lines('From: cut@far.test', 'Subject: cut off', 'X-More: and'));
  keep('bare line feeds', 'From: lf@far.test\nSubject: line feeds\n\nunix\nlines\n');
  keep('bare returns', 'From: cr@far.test\rSubject: returns\r\rold\rmac');
  mail('NUL in the subject', ['Subject: a\0b\0c'], 'x\0y\0z');
  mail('NUL in the name', ['From: "a\0b" <nul@far.test>'], 'hello');
  mail('no From', ['From:'], 'who am I?');
  mail('two Froms', ['From: one@far.test', 'From: two@far.test'], 'both of us');
  mail('an empty local part', ['From: ""@far.test'], 'nobody');
  mail('a From that is no address', ['From: the management'], 'hello');
  mail('a group as sender', ['From: Friends: a@far.test, b@far.test;'], 'we are several');
  mail('a broken encoded word', ['Subject: =?utf-8?B?w4Q=?= =?nope?Q?=C3?= =?utf-8?X?zz?= =?utf-8?Q?=C3?='], 'hm');
  mail('an encoded name with a line break', ['From: =?utf-8?Q?Eve=0D=0ABcc:_all@far.test?= <eve@far.test>'], 'inject');
  mail('raw 8-bit headers in latin1', [], 'x', {});
  keep(
    '8-bit headers',
    latin1(lines('From: J\u00f6rg <joerg@far.test>', 'Subject: Gr\u00fc\u00dfe', '', '\u00e4\u00f6\u00fc')),
  );
  mail('8-bit without a charset', [], latin1('caf\u00e9 cr\u00e8me'));
  mail('a charset that lies', ['Content-Type: text/plain; charset=utf-8'], latin1('\u00e4\u00f6\u00fc is latin1'));
  mail('a charset nobody knows', ['Content-Type: text/plain; charset="x-klingon"'], 'nuqneH');
  mail('a charset of rubbish', ['Content-Type: text/plain; charset="\'; drop table tickets"'], 'hello');
  mail('Japanese', ['Content-Type: text/plain; charset=iso-2022-jp'], Buffer.from('\x1b$B$3$s$K$A$O\x1b(B', 'latin1'));
  mail('UTF-7', ['Content-Type: text/plain; charset=utf-7'], '+ADw-script+AD4-');
  mail('UTF-16', ['Content-Type: text/plain; charset=utf-16le'], Buffer.from('hello', 'utf16le'));
  mail('Windows-1252', ['Content-Type: text/plain; charset=windows-1252'], Buffer.from([0x80, 0x93, 0x94]));
  mail('broken base64', ['Content-Transfer-Encoding: base64'], 'SGVsbG8!!!@@@gd29ybGQ===x');
  mail('broken quoted-printable', ['Content-Transfer-Encoding: quoted-printable'], 'a=ZZb=\r\n=4\r\n=');
  mail('an encoding nobody knows', ['Content-Transfer-Encoding: x-uuencode'], 'begin 644 a.txt\r\n#86)C\r\n`\r\nend');
  mail('a broken content type', ['Content-Type: ;;;=/"text'], 'hello');
  mail('a content type without a slash', ['Content-Type: text'], 'hello');
  mail('multipart without a boundary', ['Content-Type: multipart/mixed'], '--x\r\n\r\nlost\r\n--x--');
  mail('a boundary that never comes', ['Content-Type: multipart/mixed; boundary=never'], 'no part at all');
  mail(
    'a boundary that never ends',
    ['Content-Type: multipart/mixed; boundary=b'],
    lines('--b', 'Content-Type: text/plain', '', 'the beginning'),
  );
  mail(
    'an empty boundary',
    ['Content-Type: multipart/mixed; boundary=""'],
    lines('--', 'Content-Type: text/plain', '', 'x', '----'),
  );
  mail(
    'a part inside with the same boundary',
    ['Content-Type: multipart/mixed; boundary=b'],
    lines('--b', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'twice', '--b--', '--b--'),
  );
  mail(
    'a thousand parts',
    ['Content-Type: multipart/mixed; boundary=b'],
    `${Array.from({ length: 1000 }, (_, at) => `--b\r\nContent-Type: text/plain; name="f${at}.txt"\r\nContent-Disposition: attachment\r\n\r\nfile ${at}\r\n`).join('')}--b--`,
  );
  keep('nested forty deep', lines('From: nest@far.test', nested(40)));
  keep('nested three hundred deep', lines('From: nest@far.test', nested(300)));
  keep('letters in letters', lines('Subject: fwd', forwarded(30)));
  mail('a huge subject', [`Subject: ${'long '.repeat(20_000)}`], 'short');
  mail('a line of a megabyte', [], 'x'.repeat(1_000_000));
  mail(
    'ten thousand headers',
    Array.from({ length: 10_000 }, (_, at) => `X-H${at}: ${at}`),
    'many',
  );
  mail('megabytes of headers', [`X-Big: ${'y'.repeat(1_500_000)}`], 'heavy');
  mail('folded for ever', [`Subject: a${'\r\n b'.repeat(3_000)}`], 'folded');
  mail(
    'eleven megabytes attached',
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
    mail(
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
  attach('a program', '"invoice.pdf.exe"', 'application/pdf', 'MZ\x90\0not a pdf');
  attach('a script', '"run.js"', 'text/plain', 'WScript.Shell');
  attach('a path as a name', '"../../etc/passwd"', 'text/plain', 'root');
  attach('a name in a broken charset', "utf-9''%ff%fe.txt", 'text/plain', 'hello');
  attach('a name turned around', '"\u202Egpj.exe.txt"', 'text/plain', 'hello');
  attach(
    'winmail.dat',
    '"winmail.dat"',
    'application/ms-tnef',
    Buffer.from([0x78, 0x9f, 0x3e, 0x22, 1, 0, 1, 6, 0x90]),
  );
  attach('a packed bomb', '"bomb.gz"', 'application/gzip', gzipSync(Buffer.alloc(5_000_000)));
  attach('an empty file', '"empty.txt"', 'text/plain', '');
  attach('a page as a picture', '"a.png"', 'image/png', '<html><script>alert(1)</script>');
  mail('HTML only', ['Content-Type: text/html'], '<p>Hello <b>you</b></p><script>alert(1)</script>');
  mail(
    'HTML that attacks',
    ['Content-Type: text/html'],
    '<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><svg onload=alert(1)><style>*{}</style><iframe src=//evil.test></iframe><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  );
  mail('HTML ten thousand deep', ['Content-Type: text/html'], `${'<div>'.repeat(10_000)}deep`);
  mail('HTML without an end', ['Content-Type: text/html'], '<p>Hello <a href="https://shop.test/');
  mail(
    'alternatives that differ',
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
  mail('an invitation', ['Content-Type: text/calendar; method=REQUEST'], lines('BEGIN:VCALENDAR', 'END:VCALENDAR'));
  mail(
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
  mail(
    'encrypted',
    ['Content-Type: multipart/encrypted; boundary=b'],
    lines('--b', 'Content-Type: application/octet-stream', '', 'secret', '--b--'),
  );

  // Machines.
  mail('an auto-reply', ['Auto-Submitted: auto-replied'], 'I am away', { expect: 'automatic' });
  mail('a bulk mail', ['Precedence: bulk'], 'Buy!', { expect: 'automatic' });
  mail('a mailing list', ['List-Id: <all.far.test>'], 'To all', { expect: 'automatic' });
  mail('no envelope sender', [], 'do not answer', { envelopeFrom: '', expect: 'automatic' });
  mail(
    'a bounce of our mail',
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
  mail(
    'a bounce of something else',
    ['From: MAILER-DAEMON@far.test', 'Content-Type: multipart/report; report-type=delivery-status; boundary=b'],
    lines('--b', '', 'No such user', '--b--'),
    { envelopeFrom: '', expect: 'automatic' },
  );
  mail('our own mail come back', [`Message-ID: ${ourMessageId}`, `X-Loop: ${ourMessageId}`], 'the answer', {
    expect: 'automatic in thread',
  });
  mail(
    'an auto-reply to a ticket',
    [`To: ${ticketAddress}`, `From: ${requester}`, 'Auto-Submitted: auto-generated'],
    'away',
    { to: ticketAddress, expect: 'automatic in thread' },
  );

  // Threads.
  mail('an agent claims without the address', [`From: Boss <${agent}>`, `In-Reply-To: ${ourMessageId}`], 'as agent');
  mail('a true answer', [`To: ${ticketAddress}`, `From: ${requester}`], 'Thank you', {
    to: ticketAddress,
    expect: 'thread',
  });
  mail('a true answer in capitals', [`From: ${requester}`], 'THANKS', {
    to: ticketAddress.toUpperCase(),
    expect: 'thread',
  });
  mail('an answer by reference', [`From: ${requester}`, `In-Reply-To: ${ourMessageId}`], 'By reference', {
    expect: 'thread',
  });
  mail('an answer from a friend with the address', [`To: ${ticketAddress}`], 'I was copied', {
    to: ticketAddress,
    expect: 'thread',
  });
  mail('an agent claims to answer', [`From: Boss <${agent}>`], 'Send me the password', {
    to: ticketAddress,
    expect: 'thread',
  });
  mail('a stranger refers to us', [`References: ${ourMessageId}`], 'let me in');
  mail('a forged address', [`From: ${requester}`], 'let me in', {
    to: ticketAddress.replace(/\.([0-9a-f])/, (_, digit: string) => `.${digit === '0' ? '1' : '0'}`),
  });
  mail('an address cut short', [`From: ${requester}`], 'hi', { to: ticketAddress.replace(/\.[0-9a-f]+@/, '.@') });
  mail(
    'a thousand references',
    [`References: ${Array.from({ length: 1000 }, (_, at) => `<r${at}@far.test>`).join('\r\n ')}`],
    'x',
  );
  mail('the same id, one sender', ['From: one@far.test', 'Message-ID: <same@far.test>'], 'I was first');
  mail('the same id, another sender', ['From: two@far.test', 'Message-ID: <same@far.test>'], 'No, I');
  mail('no Message-ID', ['Message-ID:'], 'nameless');
  mail('a Message-ID of a megabyte', [`Message-ID: <${'m'.repeat(100_000)}@far.test>`], 'long id');
  mail(
    'many receivers',
    [`To: ${Array.from({ length: 2000 }, (_, at) => `p${at}@far.test`).join(',\r\n ')}`],
    'to all',
  );
  return mails;
};
