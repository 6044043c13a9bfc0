/** What a license is for. */
export type Product = 'mainchat' | 'chatbot' | 'helpdesk';
