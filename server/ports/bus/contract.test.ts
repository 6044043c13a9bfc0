import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasNatsServer, startNatsServer } from '../../testing/app/nats-server.ts';
import type { Bus } from './bus.ts';
import { createMemoryBus } from './memory.ts';
import { connectNatsBus } from './nats.ts';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 });

interface Pair {
  publisher: Bus;
  subscriber: Bus;
}

/** The contract of every bus, within one process and between processes. */
const describeBus = (name: string, open: () => Promise<Pair>, options: { skip?: boolean } = {}) =>
  describe.skipIf(options.skip)(name, () => {
    const opened: Bus[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((bus) => bus.close()));
      log.error.mockClear();
    });

    const openPair = async () => {
      const pair = await open();
      opened.push(...new Set([pair.publisher, pair.subscriber]));
      const markers: unknown[] = [];
      const markerTopic = `marker.${randomUUID()}`;
      /** Resolves when all earlier subscriptions are active and all earlier messages have arrived. */
      const settle = async () => {
        const marker = randomUUID();
        const leave = pair.subscriber.subscribe(markerTopic, (message) => markers.push(message));
        await eventually(() => {
          pair.publisher.publish(markerTopic, marker);
          expect(markers).toContain(marker);
        });
        leave();
      };
      return { ...pair, settle };
    };

    const listenTo = (bus: Bus, topic: string) => {
      const received: unknown[] = [];
      return { received, leave: bus.subscribe(topic, (message) => received.push(message)) };
    };

    it('delivers a message once to every listener of its topic, and to no other', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const topic = `organization.${randomUUID()}`;
      const first = listenTo(subscriber, topic);
      const second = listenTo(subscriber, topic);
      const other = listenTo(subscriber, `${topic}.more`);
      await settle();
      publisher.publish(topic, { type: 'event_sent', id: 1 });
      await settle();
      expect(first.received).toEqual([{ type: 'event_sent', id: 1 }]);
      expect(second.received).toEqual([{ type: 'event_sent', id: 1 }]);
      expect(other.received).toEqual([]);
    });

    it('counts one function subscribed twice as two listeners', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const listener = vi.fn();
      const leave = subscriber.subscribe('twice', listener);
      subscriber.subscribe('twice', listener);
      await settle();
      publisher.publish('twice', 1);
      await settle();
      expect(listener).toHaveBeenCalledTimes(2);
      leave();
      leave();
      publisher.publish('twice', 2);
      await settle();
      expect(listener).toHaveBeenCalledTimes(3);
    });

    it('delivers after the publisher’s call stack, in order', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const { received } = listenTo(subscriber, 'order');
      await settle();
      for (let number = 0; number < 1000; number++) publisher.publish('order', number);
      expect(received).toEqual([]);
      await settle();
      expect(received).toEqual(Array.from({ length: 1000 }, (_, number) => number));
    });

    it('delivers JSON data unchanged', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const { received } = listenTo(subscriber, 'data');
      await settle();
      const values = [
        null,
        '',
        'žluťoučký 🐎 \u0000',
        0,
        -1.5,
        true,
        [],
        {},
        { a: [{ b: null }] },
        { absent: undefined },
      ];
      for (const value of values) publisher.publish('data', value);
      await settle();
      expect(received).toEqual(values);
    });

    it('logs and drops messages that are not JSON data, for every listener', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const { received } = listenTo(subscriber, 'data');
      await settle();
      const cycle: Record<string, unknown> = {};
      cycle.self = cycle;
      const refused = [
        undefined,
        new Date(),
        { at: new Date() },
        new Map(),
        1n,
        Number.NaN,
        [undefined],
        () => 1,
        cycle,
      ];
      for (const value of refused) publisher.publish('data', value);
      await settle();
      expect(received).toEqual([]);
      expect(log.error).toHaveBeenCalledTimes(refused.length);
    });

    it('isolates listeners from each other’s exceptions', async () => {
      const { publisher, subscriber, settle } = await openPair();
      subscriber.subscribe('broken', () => {
        throw new Error('listener failed');
      });
      const { received } = listenTo(subscriber, 'broken');
      await settle();
      publisher.publish('broken', 1);
      publisher.publish('broken', 2);
      await settle();
      expect(received).toEqual([1, 2]);
      expect(log.error).toHaveBeenCalledTimes(2);
    });

    it('ends a subscription immediately, also for pending messages, and allows subscribing again', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const before = listenTo(subscriber, 'leaving');
      await settle();
      publisher.publish('leaving', 1);
      before.leave();
      await settle();
      expect(before.received).toEqual([]);
      const after = listenTo(subscriber, 'leaving');
      before.leave();
      await settle();
      publisher.publish('leaving', 2);
      await settle();
      expect(before.received).toEqual([]);
      expect(after.received).toEqual([2]);
    });

    it('keeps topics with any text apart', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const topics = [
        '',
        '.',
        'a',
        'a.',
        'a..b',
        'a.b',
        'a.*',
        'a.>',
        '>',
        '*',
        'a b',
        'a\r\nPUB b 0',
        '%gap',
        '\ud800',
        'é',
      ];
      topics.push('x'.repeat(10_000));
      const heard = topics.map((topic) => listenTo(subscriber, topic).received);
      await settle();
      for (const topic of topics) publisher.publish(topic, topic);
      await settle();
      // A lone surrogate is not valid Unicode, so it arrives as the replacement character.
      expect(heard.map((messages) => messages.map((text) => String(text).toWellFormed()))).toEqual(
        topics.map((topic) => [topic.toWellFormed()]),
      );
    });

    it('delivers pending messages when it closes and ignores later calls', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const { received, leave } = listenTo(subscriber, 'end');
      await settle();
      publisher.publish('end', 'last');
      await publisher.close();
      await eventually(() => expect(received).toEqual(['last']));
      await subscriber.close();
      await subscriber.close();
      publisher.publish('end', 'too late');
      subscriber.subscribe('end', () => {})();
      leave();
      expect(publisher.connected()).toBe(false);
      expect(received).toEqual(['last']);
    });

    it('is connected, drops nothing and reports no gap during normal operation', async () => {
      const { publisher, subscriber, settle } = await openPair();
      const onGap = vi.fn();
      const leave = subscriber.onGap(onGap);
      publisher.publish('well', 1);
      await settle();
      leave();
      expect([publisher.connected(), subscriber.connected()]).toEqual([true, true]);
      expect(publisher.dropped()).toBe(0);
      expect(onGap).not.toHaveBeenCalled();
    });
  });

describeBus('memory bus', async () => {
  const bus = createMemoryBus(log);
  return { publisher: bus, subscriber: bus };
});

describe('with a server', () => {
  let server: Awaited<ReturnType<typeof startNatsServer>> | undefined;
  beforeAll(async () => {
    if (hasNatsServer) server = await startNatsServer();
  });
  afterAll(() => server?.remove());

  const open = () => connectNatsBus({ url: server!.url, log });
  const openOne = async () => {
    const bus = await open();
    return { publisher: bus, subscriber: bus };
  };
  describeBus('NATS bus within one process', openOne, { skip: !hasNatsServer });
  describeBus('NATS bus between two processes', async () => ({ publisher: await open(), subscriber: await open() }), {
    skip: !hasNatsServer,
  });
});
