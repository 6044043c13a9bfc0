import { notFound } from '../../../errors.ts';
import { readTogether } from '../../../read-lanes.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { QueuePlace } from '../../routing/records.ts';
import type { ChatRecord, ChatWithThread } from '../records.ts';
import { assertReadable } from './find-chat.ts';
import { type KeptMark, readUnlessKept } from './kept-reads.ts';
import { CUSTOMER_MARK, chatMark, isNews, markOf, THREAD_MARK } from './mark-sql.ts';
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
import { withQueue } from './with-queue.ts';

interface ChatRow extends ChatRecord, UserColumns {
  anonymized: boolean;
  unassigned: boolean;
  thread: ThreadJson | null;
}

type Row = ({ news: true } & ChatRow) | { news: false };

const ASKED_THREAD = `t.organization_id = found.organization_id and t.chat_id = found.id
  and t.id = coalesce(w.thread_id, found.last_thread_id)`;

const MARK = markOf(CUSTOMER_MARK, chatMark('found'), `(select ${THREAD_MARK} from threads t where ${ASKED_THREAD})`);

/** A chat whose mark is known is no `c`, so nothing of it is read. The limits keep the mark from being made for each use. */
const GET_CHAT = {
  name: 'get_chat',
  text: `
select w.n, marked.mark, ${isNews('marked.mark')} as news, ${CHAT}, c.assignee_id is null as unassigned, ${USERS}, (
  select row_to_json(one) from (select ${THREAD} from threads t where c.id is not null and ${ASKED_THREAD}) one) as thread
from json_to_recordset($1)
  as w(n int, organization_id uuid, sees_notes boolean, chat_id text, thread_id text, keeps boolean, known text)
cross join lateral (
  select o.*, o.xmin from chats o where o.organization_id = w.organization_id and o.id = w.chat_id limit 1
) found${joinCustomer('found')}
cross join lateral (select case when w.keeps then ${MARK} end as mark limit 1) marked
left join lateral (select found.* where ${isNews('marked.mark')} limit 1) c on true${JOIN_PRESENCE}`,
};

interface Asked {
  chatId: string;
  threadId?: string | undefined;
}

const read = async (scope: OrganizationScope, { chatId, threadId }: Asked, kept: KeptMark = {}) => {
  const question = { sees_notes: seesNotes(scope), chat_id: chatId, thread_id: threadId, ...kept };
  const [row] = await readTogether<Row & { mark: string | null }>(scope, GET_CHAT, question);
  if (row?.news === false) return undefined;
  const chat = await assertReadable(scope, row);
  if (!chat.thread) throw notFound('Thread');
  const thread = readThread(chat.thread, chat.customerId);
  const waits = chat.unassigned && thread.active;
  return { chat: { ...toChat(chat), users: readUsers(chat), thread }, waits, mark: chat.mark };
};

/** One chat with one of its threads: the one asked for, else the latest. */
export const getChat = (scope: OrganizationScope, asked: Asked): Promise<ChatWithThread> =>
  readUnlessKept(scope, `get_chat ${asked.chatId} ${asked.threadId}`, async (kept) => {
    const found = await read(scope, asked, kept);
    if (!found) return undefined;
    const { chat, waits, mark } = found;
    // Where it stands in the queue is no matter of its own rows.
    if (!waits) return { record: chat, mark };
    const [thread] = await withQueue(scope, [chat.thread], true);
    return { record: { ...chat, thread: thread! } };
  });

/** For whoever has just routed it, and so knows better than the database where it stands in the queue. */
export const getRoutedChat = async (
  scope: OrganizationScope,
  { queue, ...asked }: Asked & { queue: QueuePlace | undefined },
): Promise<ChatWithThread> => {
  const { chat } = (await read(scope, asked))!;
  return queue ? { ...chat, thread: { ...chat.thread, queue } } : chat;
};
