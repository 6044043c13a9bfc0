import type { BusLog, Listener } from './bus.ts';

interface Subscription {
  listener: Listener;
}

/** The listeners of this process by topic, used by every bus. */
export const createLocalTopics = (log?: BusLog) => {
  const topics = new Map<string, Set<Subscription>>();

  const deliver = (topic: string, subscription: Subscription, message: unknown) => {
    try {
      subscription.listener(message);
    } catch (error) {
      log?.error({ err: error, topic }, 'bus listener failed');
    }
  };

  return {
    /** Current listeners get the message after the current call stack, unless they have unsubscribed by then. */
    deliver(topic: string, message: unknown) {
      const subscriptions = topics.get(topic);
      if (!subscriptions) return;
      const present = [...subscriptions];
      queueMicrotask(() => {
        for (const subscription of present) {
          if (subscriptions.has(subscription)) deliver(topic, subscription, message);
        }
      });
    },

    subscribe(topic: string, listener: Listener): () => void {
      const subscription = { listener };
      const subscriptions = topics.get(topic) ?? new Set();
      topics.set(topic, subscriptions.add(subscription));
      return () => {
        subscriptions.delete(subscription);
        // If ended twice, the topic may already have a new set of subscribers, which must stay.
        if (subscriptions.size === 0 && topics.get(topic) === subscriptions) topics.delete(topic);
      };
    },

    topics: () => topics.keys(),
    hasListeners: (topic: string) => topics.has(topic),

    async close() {
      // Microtasks run in order, so earlier messages are delivered first.
      await Promise.resolve();
      for (const subscriptions of topics.values()) subscriptions.clear();
      topics.clear();
    },
  };
};
