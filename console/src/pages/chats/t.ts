import { loadMessages } from '../../i18n/messages.ts';

export const t = await loadMessages('chats');
