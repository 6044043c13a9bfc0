import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ArrivedMail {
  to: string;
  messageId: string;
  content: string;
}

/** Accepts the recipient, never responds, or responds with a code. */
export type RecipientRule = (address: string) => 'accept' | 'hang' | number;

export interface MailServer {
  url: string;
  arrived: ArrivedMail[];
  /** Recipients that were named and have not been answered. */
  hanging: string[];
  /** Sets the response to all further recipients. */
  answerWith(rule: RecipientRule): void;
  /** Accepts the hanging recipients. */
  release(): void;
  /** Resolves when the condition holds; it is checked after each recipient and each mail. */
  until(isReached: () => boolean): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const unfold = (content: string): string => content.replace(/=\r\n/g, '').replace(/=3D/g, '=');

/** Starts an SMTP server on a loopback port. */
export const startMailServer = async (): Promise<MailServer> => {
  const arrived: ArrivedMail[] = [];
  const held = new Map<(error?: Error | null) => void, string>();
  const hanging: string[] = [];
  const waiting = new Set<() => void>();
  let rule: RecipientRule = () => 'accept';
  const checkAll = (): void => {
    for (const check of waiting) check();
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 1,
    onRcptTo: ({ address }, _session, done) => {
      const answer = rule(address);
      if (answer === 'accept') done();
      else if (answer === 'hang') {
        held.set(done, address);
        hanging.push(address);
      } else done(Object.assign(new Error('refused'), { responseCode: answer }));
      checkAll();
    },
    onData: async (stream, { envelope }, done) => {
      const content = unfold(await text(stream));
      const messageId = /^Message-ID: (.*)\r$/im.exec(content)?.[1] ?? '';
      arrived.push({ to: envelope.rcptTo[0]!.address, messageId, content });
      done();
      checkAll();
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server as Server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    arrived,
    hanging,
    answerWith: (next) => {
      rule = next;
    },
    release: () => {
      for (const done of held.keys()) done();
      held.clear();
      hanging.length = 0;
    },
    until: (isReached) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!isReached()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  };
};
