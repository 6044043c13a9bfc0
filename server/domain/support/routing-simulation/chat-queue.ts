import type { ChatKind } from './workforce.ts';

export interface QueueItem {
  kind: ChatKind;
  priority: number;
  enteredAt: number;
  /** Breaks ties between chats that entered at the same time. */
  order: number;
  /** Whether the chat has left the queue or not entered it yet. */
  isGone: boolean;
}

interface Bucket<W extends QueueItem> {
  waiting: W[];
  head: number;
}

const isBefore = (one: QueueItem, other: QueueItem): boolean => {
  if (one.priority !== other.priority) return one.priority > other.priority;
  if (one.enteredAt !== other.enteredAt) return one.enteredAt < other.enteredAt;
  return one.order < other.order;
};

export interface ChatQueue<W extends QueueItem> {
  /** Adds the chat behind those of the same kind and priority. */
  enter(one: W): void;
  /** Removes and returns the first chat whose kind matches. */
  takeFirst(matches: (kind: ChatKind) => boolean): W | undefined;
}

/** Chats of one kind and priority leave in order of arrival, so only the head of each bucket is compared. */
export const createChatQueue = <W extends QueueItem>(): ChatQueue<W> => {
  const buckets = new Map<string, Bucket<W>>();
  const headOf = (bucket: Bucket<W>): W | undefined => {
    while (bucket.waiting[bucket.head]?.isGone) bucket.head += 1;
    return bucket.waiting[bucket.head];
  };
  return {
    enter: (one) => {
      const key = `${one.priority} ${one.kind.key}`;
      const bucket = buckets.get(key) ?? { waiting: [], head: 0 };
      bucket.waiting.push(one);
      buckets.set(key, bucket);
    },
    takeFirst: (matches) => {
      let found: { bucket: Bucket<W>; head: W } | undefined;
      for (const bucket of buckets.values()) {
        const head = headOf(bucket);
        if (head && (!found || isBefore(head, found.head)) && matches(head.kind)) found = { bucket, head };
      }
      if (!found) return undefined;
      // The chat may enter again, so its old entry must be skipped explicitly.
      found.bucket.head += 1;
      found.head.isGone = true;
      return found.head;
    },
  };
};
