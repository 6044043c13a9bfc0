/** The product of a license. */
export type Product = 'mainchat' | 'chatbot' | 'helpdesk';
