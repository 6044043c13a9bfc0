import type { ChatEvent, LiveChat } from '../../realtime/chats/state.ts';
import { t } from './t.ts';

const contentOf = (event: ChatEvent): string => {
  switch (event.type) {
    case 'file':
      return t('fileName', { name: event.name ?? '' });
    case 'filled_form':
      return t('submittedTheForm');
    case 'rich_message':
      return t('card');
    case 'custom':
      return t('customEvent');
    default:
      return event.text ?? '';
  }
};

/** A one-line summary of an event. */
export const describeEvent = (event: ChatEvent, { users }: Pick<LiveChat, 'users'>): string => {
  const byAgent = users.some(({ id, type }) => id === event.author_id && type === 'agent');
  const content = contentOf(event).slice(0, 160);
  if (event.visibility === 'agents') return t('noteText', { text: content });
  return byAgent ? `↩ ${content}` : content;
};
