import type { DomainEvent } from '#server/domain/events.ts';

/** What has been delivered of one thread. */
interface ThreadProgress {
  /** All events up to this number. */
  number: number;
  started: boolean;
  closed: boolean;
}

const MAX_THREADS = 10_000;

/**
 * Events are numbered without gaps within a thread, so duplicates are recognized by number, and missing ones as soon as
 * the next arrives. Keeps the most recent threads.
 */
export const createProgress = () => {
  const threads = new Map<string, ThreadProgress>();

  const record = (threadId: string, update: Partial<ThreadProgress>): void => {
    const progress = threads.get(threadId) ?? { number: 0, started: false, closed: false };
    threads.delete(threadId);
    threads.set(threadId, { ...progress, ...update });
    if (threads.size > MAX_THREADS) threads.delete(threads.keys().next().value!);
  };

  return {
    knows: (threadId: string): boolean => threads.has(threadId),
    numberOf: (threadId: string): number => threads.get(threadId)?.number ?? 0,

    /** Whether events before this one are missing. Unknown for new threads. */
    isEarly: (event: DomainEvent): boolean =>
      event.type === 'event_sent' &&
      threads.has(event.threadId) &&
      event.event.number > threads.get(event.threadId)!.number + 1,

    /** Returns whether the event is new, and records it as delivered. */
    markDelivered(event: DomainEvent): boolean {
      if (!('threadId' in event)) return true;
      const { threadId } = event;
      const progress = threads.get(threadId);
      switch (event.type) {
        case 'event_sent':
          if (progress && event.event.number <= progress.number) return false;
          record(threadId, { number: event.event.number });
          return true;
        case 'chat_started': {
          if (progress?.started) return false;
          const numbers = event.chat.thread?.events.map(({ number }) => number) ?? [];
          record(threadId, { started: true, number: Math.max(progress?.number ?? 0, ...numbers) });
          return true;
        }
        case 'chat_deactivated':
          if (progress?.closed) return false;
          record(threadId, { closed: true });
          return true;
        default:
          return true;
      }
    },
  };
};

export type Progress = ReturnType<typeof createProgress>;
