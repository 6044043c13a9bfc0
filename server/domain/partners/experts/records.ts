/** What a visitor writes to an expert; it goes by mail, and only its number is kept. */
export interface ExpertMessage {
  to: { name: string; address: string };
  name: string;
  email: string;
  text: string;
}
