/** One mail as far as it could be understood. Nothing in it is trusted or cleaned yet, except the HTML. */
export interface ParsedMail {
  from?: ParsedAddress;
  replyTo?: ParsedAddress;
  /** Every address that the headers name as a receiver. */
  to: string[];
  subject?: string;
  messageId?: string;
  /** What it answers, the nearest first. */
  references: string[];
  text: string;
  /** Made safe. */
  html?: string;
  attachments: ParsedAttachment[];
  /** Lower-case names; of several, the values are joined with a comma. */
  headers: Record<string, string>;
  /** Message-IDs that stand anywhere inside: a bounce tells so what it is about. */
  mentionedIds: string[];
  /** Not a mail as the rules want it, or too large to be shown whole: what came should be kept beside it. */
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
