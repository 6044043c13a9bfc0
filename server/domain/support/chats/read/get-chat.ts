import { loadBatched } from '../../../batch-loader.ts';
import { notFound } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { QueuePosition } from '../../routing/records.ts';
import type { ChatRecord, ChatWithThread } from '../records.ts';
import { addQueuePositions } from './add-queue-positions.ts';
import { assertReadable } from './find-chat.ts';
import { toChat } from './read-rows.ts';
import {
  CHAT,
  canSeeAgentEvents,
  JOIN_PRESENCE,
  joinCustomer,
  readThread,
  readUsers,
  THREAD,
  type ThreadJson,
  USERS,
  type UserColumns,
} from './read-sql.ts';
import { type CachedVersion, readThroughCache } from './response-cache.ts';
import { CUSTOMER_VERSION, chatVersion, hasChanged, rowVersion, THREAD_VERSION } from './row-version-sql.ts';

interface ChatRow extends ChatRecord, UserColumns {
  anonymized: boolean;
  unassigned: boolean;
  thread: ThreadJson | null;
}

type Row = ({ changed: true } & ChatRow) | { changed: false };

const REQUESTED_THREAD = `t.organization_id = found.organization_id and t.chat_id = found.id
  and t.id = coalesce(w.thread_id, found.last_thread_id)`;

const VERSION = rowVersion(
  CUSTOMER_VERSION,
  chatVersion('found'),
  `(select ${THREAD_VERSION} from threads t where ${REQUESTED_THREAD})`,
);

/**
 * If the version is unchanged, `c` is empty and nothing else is read. The limits keep the planner from computing the
 * version repeatedly.
 */
const GET_CHAT = {
  name: 'get_chat',
  text: `
select w.n, versioned.version, ${hasChanged('versioned.version')} as changed, ${CHAT}, c.assignee_id is null as unassigned, ${USERS}, (
  select row_to_json(one) from (select ${THREAD} from threads t where c.id is not null and ${REQUESTED_THREAD}) one) as thread
from json_to_recordset($1)
  as w(n int, organization_id uuid, sees_agent_events boolean, chat_id text, thread_id text, cacheable boolean, cached text)
cross join lateral (
  select o.*, o.xmin from chats o where o.organization_id = w.organization_id and o.id = w.chat_id limit 1
) found${joinCustomer('found')}
cross join lateral (select case when w.cacheable then ${VERSION} end as version limit 1) versioned
left join lateral (select found.* where ${hasChanged('versioned.version')} limit 1) c on true${JOIN_PRESENCE}`,
};

interface ChatRequest {
  chatId: string;
  threadId?: string | undefined;
}

const read = async (scope: OrganizationScope, { chatId, threadId }: ChatRequest, cached: CachedVersion = {}) => {
  const key = { sees_agent_events: canSeeAgentEvents(scope), chat_id: chatId, thread_id: threadId, ...cached };
  const [row] = await loadBatched<Row & { version: string | null }>(scope, GET_CHAT, key);
  if (row?.changed === false) return undefined;
  const chat = await assertReadable(scope, row);
  if (!chat.thread) throw notFound('Thread');
  const thread = readThread(chat.thread, chat.customerId);
  const isQueued = chat.unassigned && thread.active;
  return { chat: { ...toChat(chat), users: readUsers(chat), thread }, isQueued, version: chat.version };
};

/** Returns a chat with the requested thread, or else the latest. */
export const getChat = (scope: OrganizationScope, request: ChatRequest): Promise<ChatWithThread> =>
  readThroughCache(scope, `get_chat ${request.chatId} ${request.threadId}`, async (cached) => {
    const found = await read(scope, request, cached);
    if (!found) return undefined;
    const { chat, isQueued, version } = found;
    // Queue positions do not depend on the chat's own rows, so queued chats are not cached.
    if (!isQueued) return { record: chat, version };
    const [thread] = await addQueuePositions(scope, [chat.thread], true);
    return { record: { ...chat, thread: thread! } };
  });

/** For callers that have just routed the chat and know its queue position. */
export const getChatWithPosition = async (
  scope: OrganizationScope,
  { queue, ...request }: ChatRequest & { queue: QueuePosition | undefined },
): Promise<ChatWithThread> => {
  const { chat } = (await read(scope, request))!;
  return queue ? { ...chat, thread: { ...chat.thread, queue } } : chat;
};
