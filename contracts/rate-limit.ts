/** Which allowance a call counts against. The numbers are in `server/http/rate-limit.ts`. */
export type RateLimitClass =
  | 'agent'
  | 'customer'
  | 'anonymous_customer'
  | 'url_preview'
  | 'visitor_chat'
  | 'visitor_chat_start'
  | 'visitor_details'
  | 'beacon';
