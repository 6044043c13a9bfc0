import type { ArchivedChat } from '#contracts/chat-ops/chats.ts';
import type { Cell } from '../../design/csv.ts';

export const RATE_NAMES: Record<ArchivedChat['rate'], string> = {
  not_rated: 'Not rated',
  rated_good: 'Rated good',
  rated_bad: 'Rated bad',
};

const HEADINGS = [
  ...['Id', 'Type', 'Started', 'Ended', 'Seconds', 'Visitor', 'Visitor’s id', 'City', 'Country', 'Agents', 'Groups'],
  ...['Rating', 'Tags', 'Waited in the queue', 'Messages', 'Began at', 'Referrer', 'Before the chat', 'After the chat'],
  'Transcript',
];

const isoOf = (seconds: number | null): string => (seconds === null ? '' : new Date(seconds * 1000).toISOString());

const answersOf = (survey: ArchivedChat['prechat_survey']): string =>
  survey.map(({ key, value }) => `${key}: ${value}`).join('\n');

const toRow = (chat: ArchivedChat): Cell[] => [
  chat.id,
  chat.type === 'chat' ? 'chat' : 'missed chat',
  isoOf(chat.started_timestamp),
  isoOf(chat.ended_timestamp),
  chat.duration,
  chat.visitor.name,
  chat.visitor.id,
  chat.visitor.city,
  chat.visitor.country,
  chat.agents.map(({ display_name }) => display_name).join(', '),
  chat.group.join(', '),
  RATE_NAMES[chat.rate],
  chat.tags.join(', '),
  chat.queue?.duration,
  chat.messages.length,
  chat.chat_start_url,
  chat.referrer,
  answersOf(chat.prechat_survey),
  answersOf(chat.postchat_survey),
  chat.messages.map(({ author_name, text }) => `${author_name}: ${text}`).join('\n'),
];

/** A table of chats, with what was said in each. */
export const toRows = (chats: ArchivedChat[]): Cell[][] => [HEADINGS, ...chats.map(toRow)];
