/** A parsed mail. Nothing in it is trusted. */
export interface ReadMail {
  from?: { address: string; name: string };
  replyTo?: { address: string; name: string };
  to: string[];
  subject?: string;
  messageId?: string;
  /** Message-IDs of the mails it replies to, nearest first. */
  references: string[];
  text: string;
  /** Sanitized. */
  html?: string;
  attachments: { name: string; contentType: string; content: Uint8Array }[];
  /** By lowercase name. */
  headers: Record<string, string>;
  /** Message-IDs that occur anywhere in the mail. */
  mentionedIds: string[];
  /** The mail could not be fully parsed, so the original must be stored too. */
  malformed: boolean;
}
