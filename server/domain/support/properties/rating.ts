import type { Properties } from '#server/storage/tables/chats.ts';
import type { EventContent } from '../chats/records.ts';
import { propertyOf } from './merge.ts';

type SystemMessage = Extract<EventContent, { type: 'system_message' }>;

const ratingMessage = (systemMessageType: string, text: string, textVars?: Record<string, string>): SystemMessage => ({
  type: 'system_message',
  systemMessageType,
  text,
  ...(textVars ? { textVars } : {}),
});

/** The system message for a change of the rating. */
export const ratingMessages = (before: Properties, after: Properties): SystemMessage[] => {
  const score = propertyOf(after, 'rating', 'score');
  const comment = propertyOf(after, 'rating', 'comment');
  const messages: SystemMessage[] = [];
  if (score !== propertyOf(before, 'rating', 'score')) {
    const grade = score === 1 ? 'good' : 'bad';
    messages.push(
      score === undefined
        ? ratingMessage('rating.chat_rating_canceled', 'The rating was canceled')
        : ratingMessage('rating.chat_rated', `The chat was rated as ${grade}`, { score: grade }),
    );
  }
  if (typeof comment === 'string' && comment !== '' && comment !== propertyOf(before, 'rating', 'comment'))
    messages.push(ratingMessage('rating.chat_commented', `A comment on the rating: ${comment}`, { comment }));
  return messages;
};
