import type { ArchivedChat } from '#contracts/chat-ops/chats.ts';
import type { Cell } from '../../design/csv.ts';
import { t } from './t.ts';

export const RATE_NAMES: Record<ArchivedChat['rate'], string> = {
  not_rated: t('notRated'),
  rated_good: t('ratedGood'),
  rated_bad: t('ratedBad'),
};

const HEADINGS = [
  ...[
    'ID',
    t('type'),
    t('started'),
    t('ended'),
    t('durationSeconds'),
    t('visitor'),
    t('visitorID'),
    t('city'),
    t('country'),
    t('agents'),
    t('groups'),
  ],
  ...[
    t('rating'),
    t('tags'),
    t('queueTimeSeconds'),
    t('messages'),
    t('startPage'),
    t('referrer'),
    t('preChatForm'),
    t('postChatForm'),
  ],
  t('transcript'),
];

const isoOf = (seconds: number | null): string => (seconds === null ? '' : new Date(seconds * 1000).toISOString());

const answersOf = (survey: ArchivedChat['prechat_survey']): string =>
  survey.map(({ key, value }) => `${key}: ${value}`).join('\n');

const toRow = (chat: ArchivedChat): Cell[] => [
  chat.id,
  chat.type === 'chat' ? t('csv.chat') : t('csv.missedChat'),
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

/** One CSV row per chat, with its transcript. */
export const toRows = (chats: ArchivedChat[]): Cell[][] => [HEADINGS, ...chats.map(toRow)];
