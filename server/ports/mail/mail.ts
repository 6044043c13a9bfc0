/** Hands mail to the outside world. */
export interface MailTransport {
  /**
   * Resolves when the next server has taken the mail. Rejects with MailRejectedError when no repetition can help, with
   * any other error when a later attempt may succeed.
   */
  send(mail: Mail): Promise<void>;
  /** Lets the mails under way finish, within bounds. */
  close(): Promise<void>;
}

/** To one person, so that repeating a failed mail never sends a second copy to somebody else. */
export interface Mail {
  from: MailAddress;
  to: MailAddress;
  replyTo?: MailAddress;
  subject: string;
  text: string;
  html?: string;
  /** Like `<id@host>`. The same for every attempt at one mail lets receivers recognise a duplicate. */
  messageId?: string;
  headers?: Record<string, string>;
}

/** The name is any text; it never needs quoting by the caller. */
export interface MailAddress {
  name?: string;
  address: string;
}

/** The mail is refused for good: an impossible address, or a permanent answer of the server about this mail. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError';
}
