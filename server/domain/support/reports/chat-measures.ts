const MEASURES = `1 as chats, (f.engagement = 'auto_invite')::int as auto_invites, (f.engagement = 'manual_invite')::int as manual_invites,
  coalesce(f.rating = 'good', false)::int as good, coalesce(f.rating = 'bad', false)::int as bad, (not f.replied)::int as not_replied`;
const responseMeasures = (one: string) => `(${one}.first_response_ms is not null)::int as first_responses,
  coalesce(${one}.first_response_ms, 0) as first_response_ms, ${one}.responses, ${one}.response_ms, ${one}.chatting_ms`;

/** The columns of a rollup, in the order of the measures. */
export const SUMS = [
  ...['chats', 'auto_invites', 'manual_invites', 'good', 'bad', 'not_replied'],
  ...['first_responses', 'first_response_ms', 'responses', 'response_ms', 'chatting_ms'],
];

/** The measures of a chat `f`. */
export const CHAT_MEASURES = `${MEASURES}, ${responseMeasures('f')}`;
/** The measures of a chat `f`, with the response times of one agent `x`. */
export const AGENT_MEASURES = `${MEASURES}, ${responseMeasures('x')}`;
