import type { Push } from '#contracts/chat/frames.ts';
import { reduceChats } from './reduce.ts';
import { type Chats, fromChat, fromSummary, type LiveChat } from './state.ts';

type ChatAnswer = Parameters<typeof fromChat>[0];
type Summary = Parameters<typeof fromSummary>[0];

export interface ChatState {
  chats(): Chats;
  /** Applies pushes and returns the IDs of chats that must be fetched. */
  push(batch: Push[]): Set<string>;
  /**
   * Registers a request. Pushes that arrive before the response may or may not be part of it, so they are applied to it again;
   * every push carries the latest state, which makes that safe.
   */
  beginRequest(): PendingRequest;
}

interface ListOptions {
  /** The chat with this ID stays although it is not in the list, because it is on screen. */
  keepId?: string | undefined;
  /** The connection was lost before, so pushes may be missing. */
  afterGap: boolean;
}

interface PendingRequest {
  /** The response is one chat; `undefined` when the agent has lost access to it. */
  applyChat(id: string, chat: ChatAnswer | undefined): void;
  /** The response is the list of all active chats. */
  applyList(summaries: Summary[], options: ListOptions): void;
  /** There will be no response. */
  cancel(): void;
}

/** Merges pushes and responses into the chats, in whatever order they arrive. */
export const createChatState = (ownLogin: string, now: () => number = Date.now): ChatState => {
  let chats: Chats = new Map();
  const recordings = new Set<Push[]>();

  const replay = (from: Chats, recorded: Push[], only?: string): void => {
    const { chats: replayed } = reduceChats(from, recorded, ownLogin, now());
    if (only === undefined) chats = replayed;
    else {
      const next = new Map(chats);
      const one = replayed.get(only);
      if (one) next.set(only, one);
      else next.delete(only);
      chats = next;
    }
  };

  return {
    chats: () => chats,
    push: (batch) => {
      for (const recorded of recordings) recorded.push(...batch);
      const reduced = reduceChats(chats, batch, ownLogin, now());
      chats = reduced.chats;
      return reduced.wanted;
    },
    beginRequest: () => {
      const recorded: Push[] = [];
      recordings.add(recorded);
      return {
        applyChat: (id, answer) => {
          recordings.delete(recorded);
          const read = answer && fromChat(answer, chats.get(id));
          replay(new Map(read ? [[id, read]] : []), recorded, id);
        },
        applyList: (summaries, { keepId, afterGap }) => {
          recordings.delete(recorded);
          const listed = new Map<string, LiveChat>();
          for (const summary of summaries)
            listed.set(summary.id, fromSummary(summary, chats.get(summary.id), afterGap));
          const openChat = keepId === undefined || listed.has(keepId) ? undefined : chats.get(keepId);
          if (openChat) listed.set(openChat.id, { ...openChat, isComplete: openChat.isComplete && !openChat.active });
          replay(listed, recorded);
        },
        cancel: () => void recordings.delete(recorded),
      };
    },
  };
};
