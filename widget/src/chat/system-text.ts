import type { Event } from '#contracts/chat/events.ts';
import type { Translate } from './localization.ts';

const phrases: [RegExp, key: string, variable?: string][] = [
  [/^routing\.archived_inactive$/, 'Chat_ended_inactive'],
  [/archived/, 'Chat_ended'],
  [/^agent_(joined|added)$/, 'Agent_joined', 'agent'],
  [/^agent_(left|removed)$/, 'Agent_left', 'agent'],
  [/^chat_transferred$/, 'Chat_transferred', 'target'],
  [/^routing\.assigned_/, 'Agent_joined', 'agent_added'],
  [/^rating\.chat_rated$/, 'Thank_you_rating'],
];

/** A system message in the widget's language; the server's text when there is no phrase for it. */
export const systemText = (
  { system_message_type: type = '', text = '', text_vars: vars = {} }: Event,
  t: Translate,
): string => {
  // Other rating messages are meant for agents.
  if (/^rating\.(?!chat_rated)/.test(type)) return '';
  const [, key, variable] = phrases.find(([pattern]) => pattern.test(type)) ?? [];
  return key ? t(key, { agent: variable ? (vars[variable] ?? '') : '' }) : text;
};
