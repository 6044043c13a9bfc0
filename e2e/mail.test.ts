import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseMail } from '#server/ports/mail-in/parse-mail.ts';
import type { ParsedMail } from '#server/ports/mail-in/parsed-mail.ts';
import { createTestDatabase } from '#server/testing/app/start-app.ts';
import { OPERATOR_TOKEN, type ServerProcess, startProcess, toDatabaseUrl } from './start-process.ts';

const DOMAIN = 'in.parley.test';
const root = path.join(import.meta.dirname, '..');
const WAIT_OPTIONS = { timeout: 60_000, interval: 100 };

/** The mail server of the recipients. */
const received: ParsedMail[] = [];
const remoteServer = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  onData: async (stream, _, done) => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push(await parseMail(Buffer.concat(chunks)));
    done();
  },
});

let server: ServerProcess;
let settings: Record<string, string>;
let port: number;
let shop: { license: number; authorization: string };

const sendRequest = async (method: string, url: string, body?: object) => {
  const response = await fetch(new URL(url, server.url), {
    method,
    headers: { authorization: shop.authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.json() as Promise<Record<string, never>>;
};

beforeAll(async () => {
  remoteServer.listen(0, '127.0.0.1');
  await once(remoteServer.server, 'listening');
  settings = {
    DATABASE_URL: toDatabaseUrl(await createTestDatabase()),
    SMTP_URL: `smtp://127.0.0.1:${(remoteServer.server.address() as AddressInfo).port}`,
    MAIL_IN_PORT: '0',
    MAIL_IN_HOST: '127.0.0.1',
    MAIL_IN_DOMAIN: DOMAIN,
  };
  server = await startProcess(settings);
  const [, found] = await server.process.waitForOutput(/Mail in \(SMTP\)\s+127\.0\.0\.1:(\d+)/);
  port = Number(found);
  const made = await fetch(new URL('/operator/v1/organizations', server.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Mail shop',
      owner: { login: 'owner@mail.shop.test', name: 'Olga', password: 'a long password' },
    }),
  });
  const { license_id, owner } = (await made.json()) as {
    license_id: number;
    owner: { login: string; api_key: string };
  };
  const basic = Buffer.from(`${owner.login}:${owner.api_key}`).toString('base64');
  shop = { license: license_id, authorization: `Basic ${basic}` };
});

afterAll(async () => {
  await server?.stop();
  await new Promise<void>((resolve) => remoteServer.close(resolve));
});

/** Runs `parley mail pipe` like a mail server does. */
const pipeMail = async (raw: string, ...args: string[]): Promise<number> => {
  const child = spawn('npm', ['run', '--silent', 'parley', '--', 'mail', 'pipe', ...args], {
    cwd: root,
    env: {
      PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
      ...settings,
      DATA_DIR: server.process.dataDir,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end(raw);
  const [code] = (await once(child, 'close')) as [number];
  return code;
};

it('an email received by SMTP creates a ticket, the reply is sent by SMTP, and the customer’s answer arrives by pipe', async () => {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const to = `${shop.license}@${DOMAIN}`;
  await transport.sendMail({
    ...{ from: 'Ann <ann@home.test>', to, subject: 'Lämp', text: 'It is dark', html: '<p>It is <b>dark</b></p>' },
    attachments: [{ filename: 'lamp.txt', content: 'a lamp' }],
  });
  transport.close();
  const list = async () =>
    (await sendRequest('GET', '/tickets')) as unknown as { total: number; tickets: Record<string, never>[] };
  await vi.waitFor(async () => expect((await list()).total).toBe(1), WAIT_OPTIONS);
  const [ticket] = (await list()).tickets as unknown as { id: string; events: { attachments: { url: string }[] }[] }[];
  expect(ticket).toMatchObject({
    subject: 'Lämp',
    requester: { mail: 'ann@home.test', name: 'Ann' },
    source: { type: 'mail' },
    events: [{ message: 'It is dark', html: '<p>It is <b>dark</b></p>', attachments: [{ name: 'lamp.txt' }] }],
  });
  const file = await fetch(new URL(new URL(ticket!.events[0]!.attachments[0]!.url).pathname, server.url));
  expect(await file.text()).toBe('a lamp');

  await sendRequest('POST', '/v3.5/agent/action/reply_to_ticket', {
    ticket_id: ticket!.id,
    message: 'Switch it on',
    status: 'solved',
  });
  await vi.waitFor(
    () => expect(received.filter(({ to: [address] }) => address === 'ann@home.test')).toHaveLength(1),
    WAIT_OPTIONS,
  );
  const answer = received.find(({ to: [address] }) => address === 'ann@home.test')!;
  expect(answer).toMatchObject({ subject: 'Re: Lämp', references: [expect.stringMatching(/^<.*>$/)] });
  expect(answer.text).toContain('Switch it on');

  const reply = ['From: Ann <ann@home.test>', 'Subject: Re', `In-Reply-To: ${answer.messageId}`, '', 'It shines'].join(
    '\n',
  );
  expect(await pipeMail(reply, '--from', 'ann@home.test', '--to', answer.replyTo!.address)).toBe(0);
  await vi.waitFor(async () => {
    const { status, events } = (await sendRequest('GET', `/tickets/${ticket!.id}`)) as unknown as {
      status: string;
      events: { message?: string }[];
    };
    expect(status).toBe('open');
    expect(events.map(({ message }) => message)).toContain('It shines');
  }, WAIT_OPTIONS);
  expect((await list()).total).toBe(1);
});

it('parley mail pipe returns the exit codes a mail server expects', async () => {
  expect(await pipeMail('From: a@far.test\n\nx', '--to', `1@${DOMAIN}`)).toBe(67);
  const away = settings.DATABASE_URL!;
  settings.DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing';
  expect(await pipeMail('From: a@far.test\n\nx', '--to', `${shop.license}@${DOMAIN}`)).toBe(75);
  settings.DATABASE_URL = away;
  expect(await pipeMail(`From: a@far.test\nTo: <${shop.license}@${DOMAIN}>\n\nby its header`)).toBe(0);
});
