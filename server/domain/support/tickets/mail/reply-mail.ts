/** A public reply that is mailed to the requester. */
export interface TicketReplyMail {
  to: { mail: string; name: string };
  agentName: string;
  subject: string;
  /** Whether earlier messages are quoted. */
  isAnswer: boolean;
  text: string;
  files: { name: string; url: string }[];
  messageId: string;
  /** The reply address; absent: replies cannot be received. */
  replyTo?: string;
  inReplyTo?: string;
  references: string[];
  ratingUrl: string;
}
