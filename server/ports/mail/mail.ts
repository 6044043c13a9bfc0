/** Sends email. */
export interface MailTransport {
  /**
   * Resolves when the next server has accepted the email. Rejects with MailRejectedError if retrying cannot help, and
   * with any other error if it can.
   */
  send(mail: Mail): Promise<void>;
  /** Waits for pending emails, for a limited time, and aborts the others. */
  close(withinMs?: number): Promise<void>;
}

/** One recipient, so that a retry never sends a second copy to someone else. */
export interface Mail {
  from: MailAddress;
  to: MailAddress;
  replyTo?: MailAddress;
  subject: string;
  text: string;
  html?: string;
  /** Like `<id@host>`. It is the same for every attempt, so that receivers recognize duplicates. */
  messageId?: string;
  headers?: Record<string, string>;
}

/** The name can be any text; callers need not quote it. */
export interface MailAddress {
  name?: string;
  address: string;
}

/** The email is rejected permanently: an invalid address, or a permanent error of the server for this email. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError';
}
