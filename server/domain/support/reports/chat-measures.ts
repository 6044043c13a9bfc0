const MEASURES = `1 as chats, (f.engagement = 'auto_invite')::int as auto_invites, (f.engagement = 'manual_invite')::int as manual_invites,
  coalesce(f.rating = 'good', false)::int as good, coalesce(f.rating = 'bad', false)::int as bad, (not f.replied)::int as not_replied`;
const workOf = (one: string) => `(${one}.first_response_ms is not null)::int as first_responses,
  coalesce(${one}.first_response_ms, 0) as first_response_ms, ${one}.responses, ${one}.response_ms, ${one}.chatting_ms`;

/** What every sum is made of, in the order of the columns. */
export const SUMS = [
  ...['chats', 'auto_invites', 'manual_invites', 'good', 'bad', 'not_replied'],
  ...['first_responses', 'first_response_ms', 'responses', 'response_ms', 'chatting_ms'],
];

/** Facts of chats as they are added up: `f` for the whole chat. */
export const CHAT_MEASURES = `${MEASURES}, ${workOf('f')}`;
/** `x` for the work of one agent in it. */
export const AGENT_MEASURES = `${MEASURES}, ${workOf('x')}`;
