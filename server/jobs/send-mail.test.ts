import { describe, expect, it } from 'vitest';
import { type Mail, MailRejectedError, type MailTransport } from '#server/ports/mail/mail.ts';
import { sendMail } from './send-mail.ts';

const job = { to: { address: 'a@b.example' }, subject: 's', text: 't', messageId: '<m@parley>' };
const from = { name: 'Parley', address: 'parley@shop.example' };

const withTransport = (send: (mail: Mail) => Promise<void>) => {
  const logged: string[] = [];
  const log = { info: () => {}, error: (_: object, message: string) => void logged.push(message) };
  const transport = { send, close: async () => {} } as unknown as MailTransport;
  return { run: sendMail(transport, from, log), logged };
};

describe('send-mail', () => {
  it('sends the mail with the configured sender', async () => {
    const sent: Mail[] = [];
    await withTransport(async (mail) => void sent.push(mail)).run(job);
    expect(sent).toEqual([{ ...job, from }]);
  });

  it('does not retry a permanently rejected mail', async () => {
    const { run, logged } = withTransport(async () => {
      throw new MailRejectedError('no such mailbox');
    });
    await run(job);
    expect(logged).toEqual(['mail rejected permanently']);
  });

  it('lets the queue retry after any other error', async () => {
    const { run } = withTransport(async () => {
      throw new Error('busy');
    });
    await expect(run(job)).rejects.toThrow('busy');
  });
});
