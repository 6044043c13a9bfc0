import type { BusLog, Listener } from './bus.ts';

interface Subscription {
  listener: Listener;
}

/** The listeners of this process, by topic: the half that every bus shares. */
export const createLocalTopics = (log?: BusLog) => {
  const topics = new Map<string, Set<Subscription>>();

  const hand = (topic: string, subscription: Subscription, message: unknown) => {
    try {
      subscription.listener(message);
    } catch (error) {
      log?.error({ err: error, topic }, 'a bus listener failed');
    }
  };

  return {
    /** Those who listen now get the message after the present call stack, unless they have left by then. */
    deliver(topic: string, message: unknown) {
      const subscriptions = topics.get(topic);
      if (!subscriptions) return;
      const present = [...subscriptions];
      queueMicrotask(() => {
        for (const subscription of present) {
          if (subscriptions.has(subscription)) hand(topic, subscription, message);
        }
      });
    },

    subscribe(topic: string, listener: Listener): () => void {
      const subscription = { listener };
      const subscriptions = topics.get(topic) ?? new Set();
      topics.set(topic, subscriptions.add(subscription));
      return () => {
        subscriptions.delete(subscription);
        // Ended twice, this may be a set that later subscribers have replaced: theirs stays.
        if (subscriptions.size === 0 && topics.get(topic) === subscriptions) topics.delete(topic);
      };
    },

    topics: () => topics.keys(),
    hasListeners: (topic: string) => topics.has(topic),

    async close() {
      // Microtasks run in order: what was handed over before is delivered before this continues.
      await Promise.resolve();
      for (const subscriptions of topics.values()) subscriptions.clear();
      topics.clear();
    },
  };
};
