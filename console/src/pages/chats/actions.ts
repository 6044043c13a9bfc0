import { deactivateChat, followChat, resumeChat, unfollowChat } from '#contracts/agent/chats.ts';
import { transferChat } from '#contracts/agent/routing.ts';
import { tagThread, untagThread } from '#contracts/agent/tags.ts';
import { addUserToChat, removeUserFromChat } from '#contracts/agent/users.ts';
import { call } from '../../api/call.ts';
import { isIn } from '../../realtime/chats/lists.ts';
import type { LiveChat } from '../../realtime/chats/state.ts';
import { ownLogin } from '../../realtime/chats/store.ts';

/** The results of these actions arrive as pushes. */
const query = {};

export const takeChat = ({ id }: LiveChat) =>
  call(transferChat, {
    query,
    body: { id, target: { type: 'agent', ids: [ownLogin()] }, ignore_agents_availability: true },
  });

export const transferTo = ({ id }: LiveChat, type: 'agent' | 'group', target: string | number) =>
  call(transferChat, { query, body: { id, target: { type, ids: [target] } } });

export const supervise = ({ id: chat_id }: LiveChat) =>
  call(addUserToChat, { query, body: { chat_id, user_id: ownLogin(), user_type: 'agent', visibility: 'agents' } });

export const joinChat = ({ id: chat_id }: LiveChat) =>
  call(addUserToChat, { query, body: { chat_id, user_id: ownLogin(), user_type: 'agent', visibility: 'all' } });

export const leaveChat = ({ id: chat_id }: LiveChat) =>
  call(removeUserFromChat, { query, body: { chat_id, user_id: ownLogin(), user_type: 'agent' } });

export const closeChat = (chat: LiveChat) =>
  call(deactivateChat, { query, body: { id: chat.id, ignore_requester_presence: !isIn(chat, ownLogin()) } });

export const reopenChat = ({ id }: LiveChat) => call(resumeChat, { query, body: { chat: { id } } });

export const setFollowed = ({ id }: LiveChat, followed: boolean) =>
  call(followed ? followChat : unfollowChat, { query, body: { id } });

export const addTag = ({ id: chat_id, threadId: thread_id }: LiveChat, tag: string) =>
  call(tagThread, { query, body: { chat_id, thread_id, tag } });

export const removeTag = ({ id: chat_id, threadId: thread_id }: LiveChat, tag: string) =>
  call(untagThread, { query, body: { chat_id, thread_id, tag } });
