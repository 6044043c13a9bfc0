/** A public answer on its way to the requester. */
export interface TicketReplyMail {
  to: { mail: string; name: string };
  agentName: string;
  subject: string;
  /** There was something before it. */
  isAnswer: boolean;
  text: string;
  files: { name: string; url: string }[];
  messageId: string;
  /** Where an answer to it belongs; absent: nowhere that we read. */
  replyTo?: string;
  inReplyTo?: string;
  references: string[];
  ratingUrl: string;
}
