import { t } from '../../i18n/t.ts';
import type { ChatEvent, Chats, LiveChat, User } from './state.ts';

export type ListName = 'mine' | 'queue' | 'supervised' | 'others';
export type ChatLists = Readonly<Record<ListName, readonly string[]>> & { readonly unread: number };

export const customerOf = ({ users }: Pick<LiveChat, 'users'>): User | undefined =>
  users.find(({ type }) => type === 'customer');

export const nameOf = (user: Pick<User, 'name' | 'email'> | undefined): string =>
  user?.name || user?.email || t('unnamedVisitor');

export const isIn = ({ users }: Pick<LiveChat, 'users'>, login: string): boolean =>
  users.some(({ id, present }) => id === login && present);

export const answering = ({ users }: Pick<LiveChat, 'users'>): User | undefined =>
  users.find(({ type, present, visibility }) => type === 'agent' && present && visibility !== 'agents');

export const listOf = (chat: LiveChat, login: string): ListName => {
  const own = chat.users.find(({ id, present }) => id === login && present);
  if (own && own.visibility !== 'agents') return 'mine';
  if (own || chat.isFollowed) return 'supervised';
  return answering(chat) ? 'others' : 'queue';
};

const isFromCustomer = ({ author_id: author, type }: ChatEvent, customer: User | undefined): boolean =>
  type !== 'system_message' && author !== undefined && author === customer?.id;

/** Number of customer events since the agent last read the chat. */
export const countUnread = (chat: LiveChat, login: string): number => {
  const own = chat.users.find(({ id, present }) => id === login && present);
  if (!own) return 0;
  const seen = own.events_seen_up_to ?? '';
  const customer = customerOf(chat);
  return chat.events.filter((event) => event.created_at > seen && isFromCustomer(event, customer)).length;
};

/** Since when the customer has been waiting for a reply; `undefined` when they are not. */
export const waitingSince = (chat: LiveChat): string | undefined => {
  if (!chat.active) return undefined;
  if (!answering(chat)) return chat.queue?.queued_at ?? chat.threadCreatedAt;
  const customer = customerOf(chat);
  let since: string | undefined;
  for (const event of chat.events) {
    if (event.type === 'system_message' || event.visibility === 'agents') continue;
    if (!isFromCustomer(event, customer)) since = undefined;
    else since ??= event.created_at;
  }
  return since;
};

export const lastShown = ({ events }: LiveChat): ChatEvent | undefined =>
  events.findLast(({ type }) => type !== 'system_message') ?? events.at(-1);

const newestFirst = (a: LiveChat, b: LiveChat): number => b.threadCreatedAt.localeCompare(a.threadCreatedAt);
const longestFirst = (a: LiveChat, b: LiveChat): number =>
  (a.queue?.position ?? 1e9) - (b.queue?.position ?? 1e9) ||
  (waitingSince(a) ?? '').localeCompare(waitingSince(b) ?? '');

const sort = (chats: Chats, login: string): ChatLists => {
  const lists: Record<ListName, LiveChat[]> = { mine: [], queue: [], supervised: [], others: [] };
  let unread = 0;
  for (const chat of chats.values()) {
    if (!chat.active) continue;
    const name = listOf(chat, login);
    lists[name].push(chat);
    if (name === 'mine' && countUnread(chat, login) > 0) unread++;
  }
  const idsOf = (name: ListName): string[] =>
    lists[name].sort(name === 'queue' ? longestFirst : newestFirst).map(({ id }) => id);
  return {
    mine: idsOf('mine'),
    queue: idsOf('queue'),
    supervised: idsOf('supervised'),
    others: idsOf('others'),
    unread,
  };
};

const same = (a: ChatLists, b: ChatLists): boolean =>
  a.unread === b.unread &&
  (['mine', 'queue', 'supervised', 'others'] as const).every(
    (name) => a[name].length === b[name].length && a[name].every((id, index) => id === b[name][index]),
  );

let cached: { chats: Chats; login: string; lists: ChatLists } | undefined;

/** Memoized, and returns the same object as long as no chat changed its list. */
export const byList = (chats: Chats, login: string): ChatLists => {
  if (cached?.chats === chats && cached.login === login) return cached.lists;
  const lists = sort(chats, login);
  cached = { chats, login, lists: cached && same(cached.lists, lists) ? cached.lists : lists };
  return cached.lists;
};
