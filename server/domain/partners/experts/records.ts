/** A visitor's message to an expert. It is emailed; only the number of messages is stored. */
export interface ExpertMessage {
  to: { name: string; address: string };
  name: string;
  email: string;
  text: string;
}
