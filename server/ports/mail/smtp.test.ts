import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, expect, it } from 'vitest';
import { type Mail, MailRejectedError } from './mail.ts';
import { createSmtpTransport } from './smtp.ts';

const mail: Mail = {
  from: { name: 'Parley, Support', address: 'parley@example.com' },
  to: { name: 'Ann "A" Žáková', address: 'ann@example.com' },
  subject: 'Welcome',
  text: 'Hello Ann\n.\nBye',
  html: '<p>Hello Ann</p>',
  messageId: '<1@example.com>',
};

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const open = (port: number, { credentials = '', timeout = 5_000 } = {}) => {
  const transport = createSmtpTransport({ url: `smtp://${credentials}127.0.0.1:${port}`, timeout });
  cleanups.push(transport.close);
  return transport;
};

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
};

interface Arrived {
  from: string;
  to: string[];
  content: string;
}

const startSmtpServer = async (options: SMTPServerOptions = {}) => {
  const arrived: Arrived[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    async onData(stream, { envelope }, done) {
      const content = await text(stream);
      const from = envelope.mailFrom ? envelope.mailFrom.address : '';
      arrived.push({ from, to: envelope.rcptTo.map((recipient) => recipient.address), content });
      done();
    },
    ...options,
  });
  server.on('error', () => {});
  const port = await listen(server.server as Server);
  cleanups.push(() => new Promise<void>((resolve) => server.close(resolve)));
  return { port, arrived, connections: () => connections };
};

/** Sends these lines, one per received line, and then nothing. */
const startScriptedServer = async (...lines: string[]) => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const answers = [...lines];
    const answer = () => {
      const line = answers.shift();
      if (line) socket.write(`${line}\r\n`);
    };
    sockets.add(socket);
    socket.on('error', () => {}).on('data', answer);
    answer();
  });
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
};

const refuse = (responseCode: number) => Object.assign(new Error('refused'), { responseCode });

/** The error of a failed email. */
const failureOf = async (sending: Promise<void>): Promise<unknown> => {
  try {
    await sending;
  } catch (error) {
    return error;
  }
  throw new Error('the mail was taken');
};

it('delivers an email', async () => {
  const server = await startSmtpServer();
  await open(server.port).send({ ...mail, headers: { 'Auto-Submitted': 'auto-generated' } });
  const [taken] = server.arrived;
  expect(taken).toMatchObject({ from: 'parley@example.com', to: ['ann@example.com'] });
  expect(taken!.content).toContain('From: "Parley, Support" <parley@example.com>\r\n');
  expect(taken!.content).toContain('Message-ID: <1@example.com>\r\n');
  expect(taken!.content).toContain('Auto-Submitted: auto-generated\r\n');
  expect(taken!.content).toContain('Hello Ann\r\n.\r\nBye');
  expect(taken!.content).toContain('<p>Hello Ann</p>');
});

it('reuses connections', async () => {
  const server = await startSmtpServer();
  const transport = open(server.port);
  await Promise.all(Array.from({ length: 30 }, () => transport.send(mail)));
  expect(server.arrived).toHaveLength(30);
  expect(server.connections()).toBeLessThanOrEqual(5);
});

it('adds no recipients or headers from visitor input', async () => {
  const server = await startSmtpServer();
  const evil = 'x\r\nBcc: bob@example.com\r\n\r\ninjected';
  await open(server.port).send({
    ...mail,
    from: { name: evil, address: 'parley@example.com' },
    to: { name: `${evil}" <carol@example.com>, "`, address: 'ann@example.com' },
    replyTo: { name: evil, address: 'dan@example.com' },
    subject: evil,
    headers: { 'X-Note': evil },
  });
  const [taken] = server.arrived;
  expect(taken!.to).toEqual(['ann@example.com']);
  const head = taken!.content.slice(0, taken!.content.indexOf('\r\n\r\n'));
  expect(head).not.toMatch(/^(bcc|injected)/im);
  expect(head).toMatch(/^Content-Type: multipart/m);
});

it('rejects an invalid address without contacting the server', async () => {
  const server = await startSmtpServer();
  const evil = { ...mail, to: { address: 'ann@example.com\r\nRCPT TO:<bob@example.com>' } };
  expect(await failureOf(open(server.port).send(evil))).toBeInstanceOf(MailRejectedError);
  expect(server.connections()).toBe(0);
});

it.each(['onMailFrom', 'onRcptTo', 'onData'] as const)(
  'distinguishes a permanent rejection at %s from a temporary one',
  async (step) => {
    let code = 550;
    const server = await startSmtpServer(
      step === 'onData'
        ? {
            onData(stream, _session, done) {
              stream.resume().on('end', () => done(refuse(code)));
            },
          }
        : { [step]: (_address: unknown, _session: unknown, done: (error: Error) => void) => done(refuse(code)) },
    );
    const transport = open(server.port);
    expect(await failureOf(transport.send(mail))).toBeInstanceOf(MailRejectedError);
    code = 451;
    expect(await failureOf(transport.send(mail))).not.toBeInstanceOf(MailRejectedError);
  },
);

it('continues after a rejection', async () => {
  const server = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('nobody') ? refuse(550) : null),
  });
  const transport = open(server.port);
  await failureOf(transport.send({ ...mail, to: { address: 'nobody@example.com' } }));
  await transport.send(mail);
  expect(server.arrived).toHaveLength(1);
});

it('treats rejected credentials as temporary', async () => {
  const server = await startSmtpServer({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'parley' && password === 's/3' ? done(null, { user: 'parley' }) : done(new Error('wrong')),
  });
  await open(server.port, { credentials: 'parley:s%2F3@' }).send(mail);
  expect(server.arrived).toHaveLength(1);
  const failure = await failureOf(open(server.port, { credentials: 'parley:other@' }).send(mail));
  expect(failure).not.toBeInstanceOf(MailRejectedError);
});

it.each([
  ['accepts a connection and sends nothing', []],
  ['stops responding after its greeting', ['220 here']],
  ['stops responding during the session', ['220 here', '250 hello', '250 sender']],
  ['stops responding after the content', ['220 here', '250 hello', '250 sender', '250 recipient', '354 go on']],
  ['has insufficient storage', ['421 too busy']],
  ['rejects every connection', ['554 no service']],
])('fails temporarily with a server that %s', async (_case, lines) => {
  const port = await startScriptedServer(...lines);
  const failure = await failureOf(open(port, { timeout: 200 }).send(mail));
  expect(failure).toBeInstanceOf(Error);
  expect(failure).not.toBeInstanceOf(MailRejectedError);
});

it('fails temporarily if the server is unreachable', async () => {
  const vacant = createServer();
  const port = await listen(vacant);
  await new Promise((resolve) => vacant.close(resolve));
  expect(await failureOf(open(port).send(mail))).not.toBeInstanceOf(MailRejectedError);
});

it('finishes pending emails when it closes and accepts no more', async () => {
  const server = await startSmtpServer();
  const transport = open(server.port);
  const sending = Array.from({ length: 10 }, () => transport.send(mail));
  await transport.close();
  await Promise.all(sending);
  expect(server.arrived).toHaveLength(10);
  expect(await failureOf(transport.send(mail))).not.toBeInstanceOf(MailRejectedError);
});

it('closes although the server does not answer', async () => {
  const port = await startScriptedServer('220 here');
  const transport = open(port, { timeout: 200 });
  const failure = failureOf(transport.send(mail));
  await transport.close();
  expect(await failure).not.toBeInstanceOf(MailRejectedError);
});
