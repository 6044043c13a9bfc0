/** A parsed email. Only the HTML is sanitized; everything else is untrusted. */
export interface ParsedMail {
  from?: ParsedAddress;
  replyTo?: ParsedAddress;
  /** All recipients in the headers. */
  to: string[];
  subject?: string;
  messageId?: string;
  /** Message ids it replies to, nearest first. */
  references: string[];
  text: string;
  /** Sanitized. */
  html?: string;
  attachments: ParsedAttachment[];
  /** Lower-case names; repeated headers are joined by commas. */
  headers: Record<string, string>;
  /** Message ids found anywhere in the email; a bounce refers to the original this way. */
  mentionedIds: string[];
  /** Not well-formed, or too large to show completely: the original should be kept. */
  malformed: boolean;
}

export interface ParsedAddress {
  address: string;
  name: string;
}

export interface ParsedAttachment {
  name: string;
  contentType: string;
  content: Uint8Array;
}
