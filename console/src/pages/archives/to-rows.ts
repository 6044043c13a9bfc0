import type { ArchivedChat } from '#contracts/chat-ops/chats.ts';
import type { Cell } from '../../design/csv.ts';
import { t } from './t.ts';

export const RATE_NAMES: Record<ArchivedChat['rate'], string> = {
  not_rated: t('notRated'),
  rated_good: t('ratedGood'),
  rated_bad: t('ratedBad'),
};

const isoOf = (seconds: number | null): string => (seconds === null ? '' : new Date(seconds * 1000).toISOString());

const answersOf = (survey: ArchivedChat['prechat_survey']): string =>
  survey.map(({ key, value }) => `${key}: ${value}`).join('\n');

const COLUMNS: [title: string, read: (chat: ArchivedChat) => Cell][] = [
  ['ID', ({ id }) => id],
  [t('type'), ({ type }) => (type === 'chat' ? t('csv.chat') : t('csv.missedChat'))],
  [t('started'), (chat) => isoOf(chat.started_timestamp)],
  [t('ended'), (chat) => isoOf(chat.ended_timestamp)],
  [t('durationSeconds'), ({ duration }) => duration],
  [t('visitor'), ({ visitor }) => visitor.name],
  [t('visitorID'), ({ visitor }) => visitor.id],
  [t('city'), ({ visitor }) => visitor.city],
  [t('country'), ({ visitor }) => visitor.country],
  [t('agents'), ({ agents }) => agents.map(({ display_name }) => display_name).join(', ')],
  [t('groups'), ({ group }) => group.join(', ')],
  [t('rating'), ({ rate }) => RATE_NAMES[rate]],
  [t('tags'), ({ tags }) => tags.join(', ')],
  [t('queueTimeSeconds'), ({ queue }) => queue?.duration],
  [t('messages'), ({ messages }) => messages.length],
  [t('startPage'), (chat) => chat.chat_start_url],
  [t('referrer'), ({ referrer }) => referrer],
  [t('preChatForm'), (chat) => answersOf(chat.prechat_survey)],
  [t('postChatForm'), (chat) => answersOf(chat.postchat_survey)],
  [t('transcript'), ({ messages }) => messages.map(({ author_name, text }) => `${author_name}: ${text}`).join('\n')],
];

/** One CSV row per chat, with its transcript. */
export const toRows = (chats: ArchivedChat[]): Cell[][] => [
  COLUMNS.map(([title]) => title),
  ...chats.map((chat) => COLUMNS.map(([, read]) => read(chat))),
];
