import type { Greeting } from '#contracts/chat/greetings.ts';
import type { ShownGreeting } from '#server/domain/support/greetings/records.ts';
import { toTimestamp } from '../../http/timestamp.ts';
import type { ChatPresenter } from './present-chat.ts';

/** The greeting looks like a message of the agent in whose name it is shown. */
export const presentGreeting = (present: ChatPresenter, greeting: ShownGreeting): Greeting => {
  const { uniqueId, greetingId, message, displayedAt, firstTime } = greeting;
  const { login, name, avatar, jobTitle, kind } = greeting.agent;
  const agentId = present.userId('agent', login);
  return {
    id: greetingId,
    unique_id: uniqueId,
    displayed_first_time: firstTime,
    is_exit_intent: false,
    event: {
      id: `${uniqueId}_1`,
      created_at: toTimestamp(displayedAt),
      type: 'message',
      author_id: agentId,
      visibility: 'all',
      properties: { lc2: { greeting_id: greetingId, greeting_unique_id: uniqueId } },
      text: message,
    },
    agent: { id: agentId, name, type: 'agent', avatar, job_title: jobTitle, is_bot: kind === 'bot' },
  };
};
