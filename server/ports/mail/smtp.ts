import { createTransport } from 'nodemailer';
import { cleanMail } from './clean-mail.ts';
import { MailRejectedError, type MailTransport } from './mail.ts';

/** Content filters may take long to answer after the content; a mail that is given up too early would arrive twice. */
const DEFAULT_TIMEOUT = 60_000;
const CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_CONNECTIONS = 5;

interface SmtpOptions {
  /** `smtp://[user:password@]host[:port]`, or `smtps://`. */
  url: string;
  /** How long the server may be silent at any step, in milliseconds. */
  timeout?: number;
  maxConnections?: number;
}

export const createSmtpTransport = ({
  url,
  timeout = DEFAULT_TIMEOUT,
  maxConnections = DEFAULT_MAX_CONNECTIONS,
}: SmtpOptions): MailTransport => {
  const connectTimeout = Math.min(timeout, CONNECT_TIMEOUT_MS);
  const transport = createTransport({
    url,
    pool: true,
    maxConnections,
    connectionTimeout: connectTimeout,
    greetingTimeout: connectTimeout,
    socketTimeout: timeout,
    dnsTimeout: connectTimeout,
    // The content is plain text and never refers to files or URLs to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const pending = new Set<Promise<unknown>>();

  return {
    async send(mail) {
      const { headers, ...fields } = cleanMail(mail);
      const sending = transport.sendMail({
        ...fields,
        headers,
        envelope: { from: fields.from.address, to: fields.to.address },
      });
      pending.add(sending);
      try {
        await sending;
      } catch (error) {
        throw isRejection(error) ? new MailRejectedError(error.message, { cause: error }) : error;
      } finally {
        pending.delete(sending);
      }
    },

    async close(withinMs = timeout) {
      const deadline = setTimeout(() => transport.close({ force: true }), withinMs);
      await Promise.allSettled(pending);
      clearTimeout(deadline);
      transport.close({ force: true });
    },
  };
};

/**
 * A permanent error for this sender, recipient or content. Rejected credentials (EAUTH) and connections are not about
 * the email, and neither is 503, which is about the session.
 */
const isRejection = (error: unknown): error is Error => {
  if (!(error instanceof Error)) return false;
  const { code, responseCode } = error as Error & { code?: string; responseCode?: number };
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isAboutMail && responseCode !== undefined && responseCode >= 500 && responseCode !== 503;
};
