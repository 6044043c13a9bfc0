import type { Event } from '#contracts/chat/events.ts';
import type { Say } from './phrases.ts';

const phrases: [RegExp, key: string, variable?: string][] = [
  [/^routing\.archived_inactive$/, 'Chat_ended_inactive'],
  [/archived/, 'Chat_ended'],
  [/^agent_(joined|added)$/, 'Agent_joined', 'agent'],
  [/^agent_(left|removed)$/, 'Agent_left', 'agent'],
  [/^chat_transferred$/, 'Chat_transferred', 'target'],
  [/^routing\.assigned_/, 'Agent_joined', 'agent_added'],
  [/^rating\.chat_rated$/, 'Thank_you_rating'],
];

/** What the server said, in the language of the widget where there are words for it. */
export const systemText = (
  { system_message_type: type = '', text = '', text_vars: vars = {} }: Event,
  say: Say,
): string => {
  // What else is said of a rating is for agents.
  if (/^rating\.(?!chat_rated)/.test(type)) return '';
  const [, key, variable] = phrases.find(([pattern]) => pattern.test(type)) ?? [];
  return key ? say(key, { agent: variable ? (vars[variable] ?? '') : '' }) : text;
};
