import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/app/start-app.ts';
import { type EdgeCaseEmail, edgeCaseEmails } from '#server/testing/builders/edge-case-emails.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { callAsAgent } from '#server/testing/http/call-agent.ts';
import { createClosing } from './closing.ts';
import { openMailIn } from './mail-in.ts';

const DOMAIN = 'in.parley.test';

let test: TestApp;
let port: number;
const closing = createClosing(5_000);

beforeAll(async () => {
  const config = { mailInPort: 0, mailInHost: '127.0.0.1', mailInDomain: DOMAIN };
  test = await startTestApp({ config });
  port = (await openMailIn(test.context, closing))!;
});
afterAll(async () => {
  await closing.closeAll();
  await test[Symbol.asyncDispose]();
});

const addressOf = ({ licenseNumber }: TestOrganization): string => `${licenseNumber}@${DOMAIN}`;

const send = async (raw: Buffer | string, to: string | string[], from = 'someone@far.test') => {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  try {
    return await transport.sendMail({ envelope: { from, to }, raw });
  } finally {
    transport.close();
  }
};

const listAll = async (organization: TestOrganization) => {
  const call = callAsAgent(test);
  const { body } = await call(organization.owner, 'list_tickets', { page: 1 });
  const tickets = [...body.tickets];
  for (let page = 2; page <= body.pages; page++)
    tickets.push(...(await call(organization.owner, 'list_tickets', { page })).body.tickets);
  return tickets;
};

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came back.
type Wire = any;

const messagesOf = (ticket: Wire): Wire[] => ticket.events.filter(({ type }: Wire) => type === 'message');

describe('a conversation by mail', () => {
  it('stays in one ticket for received and sent mails', async () => {
    const organization = await buildOrganization(test);
    const call = callAsAgent(test);
    const first = [
      'From: Ann <ann@home.test>',
      `To: ${addressOf(organization)}`,
      'Subject: My lamp',
      'Message-ID: <first@home.test>',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'It is broken – please help',
    ].join('\r\n');
    await send(first, addressOf(organization), 'ann@home.test');
    await test.runDueJobs();
    const [ticket] = await listAll(organization);
    expect(ticket).toMatchObject({
      subject: 'My lamp',
      status: 'open',
      requester: { mail: 'ann@home.test', name: 'Ann' },
      source: { type: 'mail' },
      events: [{ type: 'message', message: 'It is broken – please help', author: { type: 'client' } }],
    });
    const replied = await call(organization.owner, 'reply_to_ticket', {
      ticket_id: ticket.id,
      message: 'Try <this>\n\nand that',
      status: 'solved',
    });
    expect(replied.body.ticket).toMatchObject({
      status: 'solved',
      first_response: { agent_id: organization.owner.login },
    });
    await test.runDueJobs();
    const { mail } = (await test.context.ports.outbox!.list()).find((one) => one.mail.to.address === 'ann@home.test')!;
    expect(mail).toMatchObject({
      subject: 'Re: My lamp',
      to: { name: 'Ann', address: 'ann@home.test' },
      headers: { 'In-Reply-To': '<first@home.test>', References: '<first@home.test>' },
      messageId: expect.stringMatching(/^<parley-[0-9a-f]{32}@in\.parley\.test>$/),
    });
    expect(mail.text).toContain('Try <this>\n\nand that');
    expect(mail.html).toContain('<p>Try &lt;this&gt;</p>\n<p>and that</p>');
    const replyTo = mail.replyTo!.address;
    expect(replyTo).toMatch(
      new RegExp(`^${organization.licenseNumber}\\+[a-z0-9]{10}\\.[0-9a-f]{20}@in\\.parley\\.test$`),
    );

    test.clock.advance(60_000);
    const answer = `From: Ann <ann@home.test>\r\nSubject: Re: My lamp\r\nMessage-ID: <second@home.test>\r\nIn-Reply-To: ${mail.messageId}\r\n\r\nIt works!`;
    await send(answer, replyTo, 'ann@home.test');
    await test.runDueJobs();
    const [after, ...others] = await listAll(organization);
    expect(others).toEqual([]);
    expect(after.status).toBe('open');
    expect(after.events.map(({ type }: Wire) => type)).toEqual([
      ...['message', 'message', 'status_changed', 'message', 'status_changed'],
    ]);
    await call(organization.owner, 'reply_to_ticket', { ticket_id: ticket.id, message: 'Good' });
    await test.runDueJobs();
    const [next] = await test.context.ports.outbox!.list();
    expect(next!.mail.headers).toMatchObject({
      'In-Reply-To': '<second@home.test>',
      References: `<first@home.test> ${mail.messageId} <second@home.test>`,
    });
  });

  it('rejects unknown recipients and mails that are too large', async () => {
    const organization = await buildOrganization(test);
    for (const to of [`1@${DOMAIN}`, `x@${DOMAIN}`, `${organization.licenseNumber}@elsewhere.test`])
      await expect(send('From: a@far.test\r\n\r\nx', to)).rejects.toMatchObject({ responseCode: 550 });
    const huge = Buffer.alloc(26 * 1024 * 1024, `${'a'.repeat(998)}\r\n`);
    await expect(send(huge, addressOf(organization))).rejects.toMatchObject({ responseCode: 552 });
    await test.runDueJobs();
    expect(await listAll(organization)).toEqual([]);
  });

  it('accepts a mail to two organizations once for each, also at an address that an organization configured', async () => {
    const [one, two] = [await buildOrganization(test), await buildOrganization(test)];
    const call = callAsAgent(test);
    const own = `help-${two.licenseNumber}@shop.test`;
    await call(two.owner, 'set_ticket_mail', { own_address: own.toUpperCase() });
    await test.runDueJobs();
    const [asked] = (await test.context.ports.outbox!.list()).filter(({ mail }) => mail.to.address === own);
    const code = /^\d{8}$/m.exec(asked!.mail.text)![0];
    expect((await call(two.owner, 'confirm_ticket_mail', { code })).body).toEqual({
      numbered_address: addressOf(two),
      own_address: own,
    });
    await send('From: a@far.test\r\nMessage-ID: <both@far.test>\r\n\r\nx', [addressOf(one), own]);
    await test.runDueJobs();
    expect([(await listAll(one)).length, (await listAll(two)).length]).toEqual([1, 1]);
  });

  it('confirms a mail only after it is stored', async () => {
    const organization = await buildOrganization(test);
    const { files } = test.context.ports;
    const write = files.write;
    files.write = async () => {
      throw new Error('the disk is full');
    };
    const raw = 'From: a@far.test\r\nMessage-ID: <later@far.test>\r\n\r\nx';
    await expect(send(raw, addressOf(organization))).rejects.toMatchObject({ responseCode: 451 });
    files.write = write;
    await send(raw, addressOf(organization));
    await test.runDueJobs();
    expect(await listAll(organization)).toHaveLength(1);
  });

  it('stores nothing of a mail whose sender disconnects, and accepts the next one', async () => {
    const organization = await buildOrganization(test);
    const breakOff = async (end: 'destroy' | 'end') => {
      const socket = connect(port, '127.0.0.1');
      const expectCode = async (code: string) => {
        const [chunk] = await once(socket, 'data');
        expect(String(chunk)).toContain(code);
      };
      await expectCode('220');
      for (const [line, code] of [
        ['EHLO far.test', '250'],
        ['MAIL FROM:<a@far.test>', '250'],
        [`RCPT TO:<${addressOf(organization)}>`, '250'],
        ['DATA', '354'],
      ] as const) {
        socket.write(`${line}\r\n`);
        await expectCode(code);
      }
      socket.write('From: a@far.test\r\n\r\nhalf a ma');
      socket[end]();
    };
    for (let turn = 0; turn < 20; turn++) await breakOff(turn % 2 === 0 ? 'destroy' : 'end');
    await send('From: b@far.test\r\nMessage-ID: <whole@far.test>\r\n\r\nx', addressOf(organization));
    await test.runDueJobs();
    const tickets = await listAll(organization);
    expect(tickets.map(({ requester }) => requester.mail)).toEqual(['b@far.test']);
  });

  it('answers invalid commands and continues', async () => {
    const organization = await buildOrganization(test);
    for (const rubbish of ['\0\0\0\r\n', 'GET / HTTP/1.1\r\n\r\n', 'DATA\r\n', `MAIL FROM:<${'a'.repeat(5000)}>\r\n`]) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'data');
      socket.write(rubbish);
      await once(socket, 'data');
      socket.destroy();
    }
    await send('From: b@far.test\r\n\r\nstill there?', addressOf(organization));
    await test.runDueJobs();
    expect(await listAll(organization)).toHaveLength(1);
  });
});

describe('malformed mails', () => {
  it('each become one ticket or message, and the listener continues', async () => {
    const organization = await buildOrganization(test);
    const call = callAsAgent(test);
    const address = addressOf(organization);
    const { body } = await call(organization.owner, 'create_ticket', {
      requester: { mail: 'somebody@home.test', name: 'Some Body' },
      message: 'help',
    });
    await call(organization.owner, 'reply_to_ticket', { ticket_id: body.ticket.id, message: 'So', status: 'solved' });
    await test.runDueJobs();
    const { mail } = (await test.context.ports.outbox!.list()).find(
      ({ mail }) => mail.to.address === 'somebody@home.test',
    )!;
    const mails = edgeCaseEmails({
      address,
      ticketAddress: mail.replyTo!.address,
      requester: 'somebody@home.test',
      ourMessageId: mail.messageId!,
      agent: organization.owner.login,
    });
    expect(mails.length).toBeGreaterThanOrEqual(60);
    const deliver = ({ raw, to, envelopeFrom }: EdgeCaseEmail, over: string) =>
      send(Buffer.concat([Buffer.from(over), raw]), to ?? address, envelopeFrom ?? 'someone@far.test');
    const numbers = new Map<string, string>();
    for (const one of mails) {
      const before = await rowsOf(organization);
      await deliver(one, '').catch((error) => expect.fail(`${one.name}: ${error}`));
      const fresh = (await rowsOf(organization)).filter(({ id }) => !before.some((row) => row.id === id));
      expect(fresh, one.name).toHaveLength(1);
      numbers.set(fresh[0]!.id, one.name);
      await test.context.background.mailFiler.drain();
    }
    // A server that missed our response sends the mail again through another connection.
    for (const one of mails)
      if (/^[A-Z][\w-]*:/.test(one.raw.toString('latin1')) && one.raw.includes('\r\n\r\n'))
        await deliver(one, 'Received: from elsewhere\r\n');
    await test.runDueJobs();
    const rows = await rowsOf(organization);
    expect(rows).toHaveLength(mails.length);
    const tickets = await listAll(organization);
    const filed = tickets.flatMap((ticket) => messagesOf(ticket).filter(({ source }) => source === 'mail'));
    expect(filed).toHaveLength(mails.length);
    for (const row of rows) {
      const one = mails.find(({ name }) => name === numbers.get(row.id))!;
      const inThread = one.expect === 'thread' || one.expect === 'automatic in thread';
      expect([one.name, row.filedAt !== null, row.attempts]).toEqual([one.name, true, 1]);
      expect([one.name, row.ticketId === body.ticket.id]).toEqual([one.name, inThread]);
    }
    for (const { type, author } of filed.map((event) => event))
      expect([type, author.type]).toEqual(['message', 'client']);
    const html = filed.map((event) => event.html ?? '').join('\n');
    expect(html).not.toMatch(/<script|onerror|javascript:|<iframe|<style|<img|<svg/i);
    expect(tickets.find(({ id }) => id === body.ticket.id).status).toBe('open');
    const dropped = filed.flatMap((event) => event.dropped ?? []);
    expect(dropped).toEqual(
      expect.arrayContaining([expect.stringContaining('invoice.pdf.exe'), expect.stringContaining('big.bin')]),
    );
    const mailed = (await test.context.ports.outbox!.list()).filter((kept) => /far\.test$/.test(kept.mail.to.address));
    expect(mailed).toEqual([]);
  });
});

const rowsOf = ({ scope }: TestOrganization) =>
  scope.from('incomingMails').orderBy('receivedAt').select(['id', 'filedAt', 'ticketId', 'attempts']).execute();
