import type { Selectable } from 'kysely';
import type { ChatsTable } from '#server/storage/tables/chats.ts';
import type { OrganizationScope } from '../../../scope.ts';
import type { ChatWithThread, ThreadWithEvents } from '../records.ts';
import { loadEvents } from './load-threads.ts';
import { loadUsers } from './load-users.ts';
import { toChat, toThread } from './read-rows.ts';

type ChatRow = Selectable<ChatsTable>;

export type TouchedThread = ChatWithThread & { thread: ThreadWithEvents };

const MAX_CONCURRENT_CHATS = 100;
const RECENT_MS = 24 * 3600 * 1000;

/**
 * Time of the last event has no index, as one would cost every message more than this rare question is worth. Open chats
 * and those of the last day have indexes and are the ones that something happens in.
 */
const touchedChats = (scope: OrganizationScope, since: Date): Promise<ChatRow[]> =>
  scope
    .from('chats')
    .where('anonymized', '=', false)
    .where((eb) =>
      eb.or([eb('active', '=', true), eb('lastThreadCreatedAt', '>=', new Date(since.getTime() - RECENT_MS))]),
    )
    .where((eb) => eb.or([eb('lastEventAt', '>=', since), eb('lastThreadCreatedAt', '>=', since)]))
    .selectAll()
    .execute();

const touchedThreads = async (scope: OrganizationScope, chats: ChatRow[], since: Date): Promise<TouchedThread[]> => {
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
  const result: TouchedThread[] = [];
  for (const chat of chats) {
    for (const thread of await loadEvents(scope, threads.get(chat.id) ?? [], chat.customerId)) {
      result.push({ ...toChat(chat), users: users.get(chat.id)!, thread });
    }
  }
  return result;
};

/** Every thread in which anything happened since then, those of a chat in their order; for whoever missed it. */
export async function* listTouchedChats(
  scope: OrganizationScope,
  { since }: { since: Date },
): AsyncGenerator<TouchedThread> {
  const chats = await touchedChats(scope, since);
  for (let at = 0; at < chats.length; at += MAX_CONCURRENT_CHATS) {
    yield* await touchedThreads(scope, chats.slice(at, at + MAX_CONCURRENT_CHATS), since);
  }
}
