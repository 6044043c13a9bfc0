import { reconnectDelay } from '#browser/reconnect-delay.ts';
import { getChat, listChats } from '#contracts/agent/chats.ts';
import type { Push } from '#contracts/chat/frames.ts';
import type { ResponseOf } from '#contracts/operation.ts';
import { call } from '../../api/call.ts';
import { isTransient } from '../../api/errors.ts';
import { onLogin, onPushes } from '../live.ts';
import { type ChatState, createChatState } from './chat-state.ts';
import { byList } from './lists.ts';
import { loadOutbox, type Outbox, saveOutbox, withoutArrived } from './outbox.ts';
import type { Chats } from './state.ts';

type Summaries = ResponseOf<typeof listChats>['chats_summary'];

const PAGE = 100;
/** More chats than an agent can look at; the rest can be found in the archives. */
const MAX_LISTED = 1_000;
/** Pushes cover all changes; fetching the list periodically is a safety net. */
const CHECK_EVERY_MS = 60_000;

const listActive = async (): Promise<Summaries> => {
  const found: Summaries = [];
  let pageId: string | undefined;
  do {
    const body = pageId ? { page_id: pageId } : { limit: PAGE, filters: { include_archived: false } };
    const page = await call(listChats, { body });
    found.push(...page.chats_summary);
    pageId = page.next_page_id;
  } while (pageId && found.length < MAX_LISTED);
  return found;
};

let state: ChatState | undefined;
let login = '';
let outbox: Outbox = [];
let openId: string | undefined;
let isListed = false;
let failure: unknown;
const listeners = new Set<() => void>();
const reading = new Map<string, Promise<void>>();

const EMPTY: Chats = new Map();

export const currentChats = (): Chats => state?.chats() ?? EMPTY;
export const currentOutbox = (): Outbox => outbox;
export const isChatListRead = (): boolean => isListed;
export const chatListFailure = (): unknown => failure;
export const ownLogin = (): string => login;
export const openChatId = (): string | undefined => openId;

export const subscribeChats = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const notifyListeners = (): void => {
  for (const listener of listeners) listener();
};

export const setOutbox = (change: (old: Outbox) => Outbox): void => {
  // A send that fails after signing out must not overwrite the stored outbox.
  if (!state) return;
  const next = change(outbox);
  if (next === outbox) return;
  outbox = next;
  saveOutbox(login, outbox);
  notifyListeners();
};

const pruneOutbox = (): void => {
  let left = outbox;
  for (const chatId of new Set(outbox.map((unsent) => unsent.chatId)))
    left = withoutArrived(left, chatId, currentChats().get(chatId)?.events ?? []);
  if (left !== outbox) {
    outbox = left;
    saveOutbox(login, outbox);
  }
};

const changed = (): void => {
  pruneOutbox();
  notifyListeners();
};

/** Number of logins. A response to a request from before the last login may lack missed events. */
let epoch = 0;

const readOnce = async (id: string): Promise<void> => {
  const request = state!.beginRequest();
  const started = epoch;
  try {
    const chat = await call(getChat, { body: { chat_id: id } });
    if (started === epoch) request.applyChat(id, chat);
  } catch (error) {
    if (started === epoch && !isTransient(error)) request.applyChat(id, undefined);
    throw error;
  } finally {
    request.cancel();
    changed();
  }
};

/** Fetches a chat with its latest thread; concurrent calls share one request. */
export const readChat = (id: string): Promise<void> => {
  const under = reading.get(id);
  if (under) return under;
  const started = readOnce(id).finally(() => reading.get(id) === started && reading.delete(id));
  reading.set(id, started);
  return started;
};

const readList = async (afterGap: boolean): Promise<void> => {
  const request = state!.beginRequest();
  const started = epoch;
  try {
    const summaries = await listActive();
    if (started !== epoch) return;
    request.applyList(summaries, { keepId: openId, afterGap });
    isListed = true;
    failure = undefined;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    request.cancel();
    changed();
  }
};

/** Retries until the list is loaded, because the console would show outdated chats without it. */
const readListAtLast = async (): Promise<void> => {
  const started = epoch;
  for (let failures = 0; started === epoch; failures++) {
    try {
      return await readList(true);
    } catch (error) {
      if (!isTransient(error)) return;
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(failures)));
    }
  }
};

const readOpen = async (): Promise<void> => {
  if (openId !== undefined) await readChat(openId).catch(() => {});
};

/** Sets the conversation on screen, which is refetched whenever events may be missing. */
export const openChat = (id: string | undefined): void => {
  openId = id;
  if (id !== undefined && state && !currentChats().get(id)?.isComplete) void readChat(id).catch(() => {});
};

const take = (batch: Push[]): void => {
  const wanted = state!.push(batch);
  changed();
  for (const id of wanted) void readChat(id).catch(() => {});
  const open = openId === undefined ? undefined : currentChats().get(openId);
  if (open && !open.isComplete && !wanted.has(open.id)) void readChat(open.id).catch(() => {});
};

const MAX_CONCURRENT_READS = 3;

/** Prefetches the agent's own chats to count unread messages and to open them without delay. */
const readOwn = async (): Promise<void> => {
  const waiting = byList(currentChats(), login).mine.filter((id) => !currentChats().get(id)!.isComplete);
  const started = epoch;
  const readNext = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined && started === epoch; id = waiting.shift())
      await readChat(id).catch(() => {});
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, readNext));
};

const catchUp = async (): Promise<void> => {
  epoch++;
  reading.clear();
  await readListAtLast();
  await readOpen();
  void readOwn();
};

/** Starts following the chats of an agent. Returns a function that stops it. */
export const followChats = (agentLogin: string): (() => void) => {
  login = agentLogin;
  state = createChatState(login);
  outbox = loadOutbox(login).map((unsent) => ({ ...unsent, state: 'failed' as const, reason: undefined }));
  isListed = false;
  failure = undefined;
  const ends = [onPushes(take), onLogin(catchUp)];
  const check = setInterval(() => void readList(false).catch(() => {}), CHECK_EVERY_MS);
  return () => {
    epoch++;
    for (const end of ends) end();
    clearInterval(check);
    state = undefined;
    outbox = [];
    notifyListeners();
  };
};
