import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { ChatWithThread, ThreadWithEvents } from '../records.ts';
import { loadEvents } from './load-events.ts';
import { loadUsers } from './load-users.ts';
import { toChat, toThread } from './read-rows.ts';

type ChatRow = Selectable<ChatsTable>;

export type ChangedThread = ChatWithThread & { thread: ThreadWithEvents };

const MAX_CONCURRENT_CHATS = 100;
const RECENT_MS = 24 * 3600 * 1000;

/**
 * The time of the last event has no index, since maintaining it for every message would cost more than this rare query.
 * Active chats and those of the last day are indexed, and changes happen in these.
 */
const changedChats = (scope: OrganizationScope, since: Date): Promise<ChatRow[]> =>
  scope
    .from('chats')
    .where('anonymized', '=', false)
    .where((eb) =>
      eb.or([eb('active', '=', true), eb('lastThreadCreatedAt', '>=', new Date(since.getTime() - RECENT_MS))]),
    )
    .where((eb) => eb.or([eb('lastEventAt', '>=', since), eb('lastThreadCreatedAt', '>=', since)]))
    .selectAll()
    .execute();

const changedThreads = async (scope: OrganizationScope, chats: ChatRow[], since: Date): Promise<ChangedThread[]> => {
  const ids = chats.map(({ id }) => id);
  const lastIds = chats.map(({ lastThreadId }) => lastThreadId);
  const rows = await scope
    .from('threads')
    .where('chatId', 'in', ids)
    .where((eb) => eb.or([eb('id', 'in', lastIds), eb('createdAt', '>=', since), eb('closedAt', '>=', since)]))
    .orderBy('createdAt')
    .selectAll()
    .execute();
  const threads = Map.groupBy(rows.map(toThread), ({ chatId }) => chatId);
  const users = await loadUsers(scope, ids);
  const result: ChangedThread[] = [];
  for (const chat of chats) {
    for (const thread of await loadEvents(scope, threads.get(chat.id) ?? [], chat.customerId)) {
      result.push({ ...toChat(chat), users: users.get(chat.id)!, thread });
    }
  }
  return result;
};

/** Yields every thread that changed since then, in order per chat, for clients that missed events. */
export async function* listChangedThreads(
  scope: OrganizationScope,
  { since }: { since: Date },
): AsyncGenerator<ChangedThread> {
  const chats = await changedChats(scope, since);
  for (let at = 0; at < chats.length; at += MAX_CONCURRENT_CHATS) {
    yield* await changedThreads(scope, chats.slice(at, at + MAX_CONCURRENT_CHATS), since);
  }
}
