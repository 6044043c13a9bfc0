import type { DomainEvent } from '#server/domain/events.ts';

/** How far the listeners have been told about one thread. */
interface Told {
  /** Every event up to this number. */
  number: number;
  started: boolean;
  closed: boolean;
}

const MAX_THREADS = 10_000;

/**
 * Events are numbered without gaps inside their thread. So a repeated one is known by its number alone, and a missing one
 * is noticed as soon as the next arrives. Remembers the threads that were heard of last.
 */
export const createProgress = () => {
  const threads = new Map<string, Told>();

  const note = (threadId: string, news: Partial<Told>): void => {
    const told = threads.get(threadId) ?? { number: 0, started: false, closed: false };
    threads.delete(threadId);
    threads.set(threadId, { ...told, ...news });
    if (threads.size > MAX_THREADS) threads.delete(threads.keys().next().value!);
  };

  return {
    knows: (threadId: string): boolean => threads.has(threadId),
    numberOf: (threadId: string): number => threads.get(threadId)?.number ?? 0,

    /** Events before this one have not arrived. Of a thread that is new to us there is no telling. */
    isEarly: (event: DomainEvent): boolean =>
      event.type === 'event_sent' &&
      threads.has(event.threadId) &&
      event.event.number > threads.get(event.threadId)!.number + 1,

    /** Whether the listeners do not know this yet; from now on they do. */
    isNews(event: DomainEvent): boolean {
      if (!('threadId' in event)) return true;
      const { threadId } = event;
      const told = threads.get(threadId);
      switch (event.type) {
        case 'event_sent':
          if (told && event.event.number <= told.number) return false;
          note(threadId, { number: event.event.number });
          return true;
        case 'chat_started': {
          if (told?.started) return false;
          const numbers = event.chat.thread?.events.map(({ number }) => number) ?? [];
          note(threadId, { started: true, number: Math.max(told?.number ?? 0, ...numbers) });
          return true;
        }
        case 'chat_deactivated':
          if (told?.closed) return false;
          note(threadId, { closed: true });
          return true;
        default:
          return true;
      }
    },
  };
};

export type Progress = ReturnType<typeof createProgress>;
