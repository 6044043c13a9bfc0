import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that returns received emails by recipient and waits for them if necessary. */
export const startMailbox = async () => {
  const arrived = new Map<string, string>();
  const waiting = new Map<string, (mail: string) => void>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: async (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
      const mail = Buffer.concat(chunks).toString();
      for (const { address } of envelope.rcptTo) {
        const taker = waiting.get(address);
        if (taker) taker(mail);
        else arrived.set(address, mail);
      }
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    /** The next email to an address, as raw text. */
    mailTo: (address: string): Promise<string> => {
      const mail = arrived.get(address);
      arrived.delete(address);
      return mail === undefined ? new Promise((resolve) => waiting.set(address, resolve)) : Promise.resolve(mail);
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
};
