/** A mail as far as it was understood. Nothing in it is trusted. */
export interface ReadMail {
  from?: { address: string; name: string };
  replyTo?: { address: string; name: string };
  to: string[];
  subject?: string;
  messageId?: string;
  /** What it answers, the nearest first. */
  references: string[];
  text: string;
  /** Made safe. */
  html?: string;
  attachments: { name: string; contentType: string; content: Uint8Array }[];
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Message-IDs that stand anywhere inside. */
  mentionedIds: string[];
  /** What came is to be kept beside it. */
  malformed: boolean;
}
