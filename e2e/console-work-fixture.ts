import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createTransport } from 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { createClient } from '#contracts/client.ts';
import { getOrganization } from '#contracts/operator/organizations.ts';
import { parseMail } from '#server/ports/mail-in/parse-mail.ts';
import type { ParsedMail } from '#server/ports/mail-in/parsed-mail.ts';
import { message, type openShop } from './console-fixture.ts';
import { OPERATOR_TOKEN } from './start-process.ts';

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Markup that must be shown as text wherever outsiders can enter it. Each payload leaves a trace if it runs. */
export const PAYLOADS = {
  image: '<img src=x onerror="window.ran=1">',
  script: '</title></textarea><script>window.ran=1</script>',
  link: 'javascript:window.ran=1',
};

/** A mail server that receives all mail of the installation. */
export const openMailbox = async () => {
  const received: ParsedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: async (stream, _, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      received.push(await parseMail(Buffer.concat(chunks)));
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mailsTo: (address: string): ParsedMail[] => received.filter(({ to }) => to.includes(address)),
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};

export const licenseOf = async (url: string, { organizationId }: Shop): Promise<number> => {
  const operator = createClient({ baseUrl: url, headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  const { license_id } = await operator(getOrganization, { params: { organization_id: organizationId } });
  return license_id;
};

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** A visitor with the tracking script. */
export const newVisitor = (url: string, license: number) => {
  const identity = { visitor_id: randomUUID(), secret: randomUUID().replaceAll('-', '') };
  const sendBeacon = async (event: 'view' | 'leave', page: { url: string; title: string }, more: object = {}) => {
    const body = JSON.stringify({ license, ...identity, event, page, ...more });
    const answer = await fetch(`${url}/tracking/beacon`, { method: 'POST', headers: { 'user-agent': FIREFOX }, body });
    if (!answer.ok) throw new Error(`a beacon failed with status ${answer.status}`);
  };
  return { id: identity.visitor_id, sendBeacon };
};

/** Creates an ended chat with messages, a private note, and optionally a tag and a rating. */
export const createEndedChat = async (
  shop: Shop,
  { name, said, tag, score }: { name: string; said: string[]; tag?: string; score?: 0 | 1 },
): Promise<{ chatId: string; threadId: string }> => {
  const customer = await shop.newCustomer({ name });
  const [first, ...rest] = said;
  const { chat_id, thread_id } = await customer.act('start_chat', { chat: { thread: { events: [message(first!)] } } });
  await shop.asOwner('send_event', { chat_id, event: message('Let me look.') });
  await shop.asOwner('send_event', { chat_id, event: { ...message('Looks honest.'), visibility: 'agents' } });
  for (const text of rest) await customer.act('send_event', { chat_id, event: message(text) });
  if (tag) await shop.asOwner('tag_thread', { chat_id, thread_id, tag });
  if (score !== undefined)
    await customer.act('update_thread_properties', { chat_id, thread_id, properties: { rating: { score } } });
  await shop.asOwner('deactivate_chat', { id: chat_id });
  return { chatId: chat_id, threadId: thread_id };
};

/** Sends a formatted email with an attachment by SMTP. */
export const sendMail = async (
  port: number,
  mail: { from: string; to: string; subject: string; text: string; html: string; file: string },
): Promise<void> => {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  const { file, ...rest } = mail;
  await transport.sendMail({ ...rest, attachments: [{ filename: file, content: 'a file' }] });
  transport.close();
};
