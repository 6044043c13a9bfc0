import type { ChatEvent, LiveChat } from '../../realtime/chats/state.ts';

const contentOf = (event: ChatEvent): string => {
  switch (event.type) {
    case 'file':
      return `File: ${event.name ?? ''}`;
    case 'filled_form':
      return 'Filled in a form';
    case 'rich_message':
      return 'Card';
    case 'custom':
      return 'Data of a program';
    default:
      return event.text ?? '';
  }
};

/** One line for a list. */
export const describeEvent = (event: ChatEvent, { users }: Pick<LiveChat, 'users'>): string => {
  const byAgent = users.some(({ id, type }) => id === event.author_id && type === 'agent');
  const mark = event.visibility === 'agents' ? 'Note: ' : byAgent ? '↩ ' : '';
  return `${mark}${contentOf(event).slice(0, 160)}`;
};
