import { notFound } from '../errors.ts';
import { readTogether } from '../read-lanes.ts';
import type { QueuePlace } from '../routing/queue-positions.ts';
import type { OrganizationScope } from '../scope.ts';
import { assertReadable } from './find-chat.ts';
import { toChat } from './read-rows.ts';
import {
  CHAT,
  JOIN_PRESENCE,
  joinCustomer,
  readThread,
  readUsers,
  seesNotes,
  THREAD,
  type ThreadJson,
  USERS,
  type UserColumns,
} from './read-sql.ts';
import type { ChatRecord, ChatWithThread } from './records.ts';
import { withQueue } from './with-queue.ts';

interface Row extends ChatRecord, UserColumns {
  anonymized: boolean;
  unassigned: boolean;
  thread: ThreadJson | null;
}

const GET_CHAT = {
  name: 'get_chat',
  text: `
select w.n, ${CHAT}, c.assignee_id is null as unassigned, ${USERS}, (
  select row_to_json(one) from (
    select ${THREAD} from threads t
    where t.organization_id = c.organization_id and t.chat_id = c.id and t.id = coalesce(w.thread_id, c.last_thread_id)
  ) one) as thread
from json_to_recordset($1) as w(n int, organization_id uuid, sees_notes boolean, chat_id text, thread_id text)
cross join lateral (
  select * from chats where chats.organization_id = w.organization_id and chats.id = w.chat_id limit 1
) c${joinCustomer('c')}${JOIN_PRESENCE}`,
};

interface Asked {
  chatId: string;
  threadId?: string | undefined;
}

const read = async (scope: OrganizationScope, { chatId, threadId }: Asked) => {
  const question = { sees_notes: seesNotes(scope), chat_id: chatId, thread_id: threadId };
  const [row] = await readTogether<Row>(scope, GET_CHAT, question);
  const chat = await assertReadable(scope, row);
  if (!chat.thread) throw notFound('Thread');
  const thread = readThread(chat.thread, chat.customerId);
  return { chat: { ...toChat(chat), users: readUsers(chat), thread }, unassigned: chat.unassigned };
};

/** One chat with one of its threads: the one asked for, else the latest. */
export const getChat = async (scope: OrganizationScope, asked: Asked): Promise<ChatWithThread> => {
  const { chat, unassigned } = await read(scope, asked);
  const [thread] = await withQueue(scope, [chat.thread], unassigned);
  return { ...chat, thread: thread! };
};

/** For whoever has just routed it, and so knows better than the database where it stands in the queue. */
export const getRoutedChat = async (
  scope: OrganizationScope,
  { queue, ...asked }: Asked & { queue: QueuePlace | undefined },
): Promise<ChatWithThread> => {
  const { chat } = await read(scope, asked);
  return queue ? { ...chat, thread: { ...chat.thread, queue } } : chat;
};
