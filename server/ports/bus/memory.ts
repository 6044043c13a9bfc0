import type { Bus, BusLog } from './bus.ts';
import { isJsonData } from './json-data.ts';
import { createLocalTopics } from './local-topics.ts';

/** The bus of a single-process installation. */
export const createMemoryBus = (log?: BusLog): Bus => {
  const local = createLocalTopics(log);
  let closed = false;

  return {
    publish(topic, message) {
      if (closed) return;
      if (isJsonData(message)) local.deliver(topic, message);
      else log?.error({ topic }, 'bus message dropped: not JSON data');
    },
    subscribe: (topic, listener) => (closed ? () => {} : local.subscribe(topic, listener)),
    onGap: () => () => {},
    connected: () => !closed,
    dropped: () => 0,
    async close() {
      closed = true;
      await local.close();
    },
  };
};
