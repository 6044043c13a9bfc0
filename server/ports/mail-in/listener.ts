import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

export interface ArrivingMail {
  raw: Buffer;
  /** Empty for automatic senders that accept no reply. */
  envelopeFrom: string;
  recipients: string[];
}

interface ListenerLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface MailListenerOptions {
  host: string;
  port: number;
  maxBytes: number;
  /** Whether the address belongs to an account. */
  isKnown(address: string): Promise<boolean>;
  /** Resolves once the email is stored durably; until then the sender keeps it. */
  accept(mail: ArrivingMail): Promise<void>;
  log: ListenerLog;
}

export interface MailListener {
  port: number;
  close(): Promise<void>;
}

const MAX_RECIPIENTS = 50;
const MAX_CLIENTS = 50;
const IDLE_TIMEOUT_MS = 60_000;
/** Emails stored concurrently; their content is in memory meanwhile. */
const MAX_PER_BATCH = 8;

class SmtpAnswer extends Error {
  readonly responseCode: number;
  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

const unknownRecipient = () => new SmtpAnswer(550, 'No such address here');
const tooLarge = () => new SmtpAnswer(552, 'The mail is too large');
const tryLater = () => new SmtpAnswer(451, 'The mail could not be stored now; please try again later');

/** The rest is read and discarded, so that the sender gets the response. */
const readAll = async (stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > maxBytes || stream.sizeExceeded) throw tooLarge();
  return Buffer.concat(chunks);
};

const addressesOf = ({ envelope }: SMTPServerSession) => ({
  envelopeFrom: envelope.mailFrom ? envelope.mailFrom.address : '',
  recipients: envelope.rcptTo.map(({ address }) => address),
});

/** Accepts email over SMTP. No input stops the listener; `250` is sent only for stored emails. */
export const openMailListener = async ({
  host,
  port,
  maxBytes,
  isKnown,
  accept,
  log,
}: MailListenerOptions): Promise<MailListener> => {
  const pending = new Set<Promise<void>>();

  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> => {
    if (pending.size >= MAX_PER_BATCH) {
      stream.resume();
      await new Promise((resolve) => stream.once('end', resolve));
      throw tryLater();
    }
    const raw = await readAll(stream, maxBytes);
    try {
      await accept({ raw, ...addressesOf(session) });
    } catch (error) {
      log.error({ err: error }, 'email could not be stored');
      throw tryLater();
    }
  };

  const server = new SMTPServer({
    banner: 'Parley',
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: maxBytes,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: 500,
    onRcptTo: ({ address }, session, done) => {
      if (session.envelope.rcptTo.length >= MAX_RECIPIENTS) {
        done(new SmtpAnswer(452, 'Too many recipients'));
        return;
      }
      isKnown(address).then(
        (exists) => done(exists ? null : unknownRecipient()),
        (error: unknown) => {
          log.error({ err: error }, 'recipient lookup failed');
          done(tryLater());
        },
      );
    },
    onData: (stream, session, done) => {
      const taking: Promise<void> = take(stream, session)
        .then(
          () => done(null),
          (error: unknown) => done(error instanceof SmtpAnswer ? error : tryLater()),
        )
        .finally(() => pending.delete(taking));
      pending.add(taking);
    },
  });
  server.on('error', (error) => log.info({ reason: error.message }, 'SMTP connection failed'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, host, () => {
      server.server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: async () => {
      await new Promise<void>((resolve) => server.close(resolve));
      await Promise.allSettled(pending);
    },
  };
};
