import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '#server/domain/errors.ts';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { openOrganizationScope, type Services } from '#server/domain/scope.ts';
import type { Bus } from '#server/ports/bus/bus.ts';
import { createLimiter } from './create-limiter.ts';
import { createProgress, type Progress } from './progress.ts';
import { readMissing, readSince } from './read-missed-events.ts';

type Listener = (event: DomainEvent) => void;
type EventSent = Extract<DomainEvent, { type: 'event_sent' }>;

export interface Feeds {
  /**
   * Delivers the organization's events from now on: each once, those of a chat in order, even across a lost connection.
   */
  follow(organizationId: string, listener: Listener): () => void;
}

interface Feed {
  organizationId: string;
  listeners: Set<Listener>;
  progress: Progress;
  followedSince: Date;
  /** Events that arrived while missed ones are being read. */
  waiting: DomainEvent[];
  gapSince: Date | undefined;
  workingSince: Date | undefined;
  leave(): void;
}

export interface FeedParts {
  bus: Bus;
  services: Services;
  log: Logger;
  /** Waits between a failed read and the next; replaced in tests. */
  pause?(): Promise<unknown>;
}

/**
 * An event can be older than its publication by the duration of a statement, and clocks differ. Events that are read
 * twice because of this are recognized by number.
 */
const MARGIN_MS = 20_000;
const MAX_QUEUED = 10_000;
const RETRY_MS = 2_000;
/** After an outage all organizations read at the same time; most database connections are reserved for requests. */
const MAX_CONCURRENT_READS = 4;
const DELIVERIES_PER_TICK = 50;

const pauseBeforeRetry = () => setTimeout(RETRY_MS, undefined, { ref: false });

const earlier = (one: Date, other: Date | undefined): Date => (other && other < one ? other : one);

/** Makes the bus, which may lose and reorder messages, reliable for listeners. */
export const createFeeds = ({ bus, services, log, pause = pauseBeforeRetry }: FeedParts): Feeds => {
  const feeds = new Map<string, Feed>();
  const limit = createLimiter(MAX_CONCURRENT_READS);

  const deliver = (feed: Feed, event: DomainEvent): void => {
    if (!feed.progress.markDelivered(event)) return;
    for (const listener of feed.listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error({ err: error, type: event.type }, 'feed listener failed');
      }
    }
  };

  const deliverAll = async (feed: Feed, events: AsyncIterable<DomainEvent>): Promise<void> => {
    let count = 0;
    for await (const event of events) {
      deliver(feed, event);
      // Yields, since sockets need time to write; otherwise they would seem to have slow readers.
      if (++count % DELIVERIES_PER_TICK === 0) await setImmediate();
    }
  };

  const systemScope = ({ organizationId }: Feed) => openOrganizationScope(services, { kind: 'system' }, organizationId);

  const fillGap = async (feed: Feed): Promise<void> => {
    const gap = feed.gapSince!;
    feed.gapSince = undefined;
    const since = new Date(Math.max(gap.getTime(), feed.followedSince.getTime()) - MARGIN_MS);
    try {
      await limit(() => deliverAll(feed, readSince(systemScope(feed), feed.progress, since)));
    } catch (error) {
      feed.gapSince = earlier(gap, feed.gapSince);
      throw error;
    }
  };

  /** Delivers the events before this one first. A chat that is gone has none. */
  const deliverMissing = async (feed: Feed, event: EventSent): Promise<void> => {
    try {
      await limit(() => deliverAll(feed, readMissing(systemScope(feed), feed.progress, event)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  };

  /** Delivers the next event after those that precede it. */
  const takeNext = async (feed: Feed): Promise<void> => {
    const event = feed.waiting[0]!;
    if (event.type === 'event_sent' && feed.progress.isEarly(event)) await deliverMissing(feed, event);
    // The queue may have overflowed meanwhile and been replaced by a gap.
    if (feed.waiting[0] !== event) return;
    feed.waiting.shift();
    deliver(feed, event);
  };

  const isBehind = ({ listeners, gapSince, waiting }: Feed): boolean =>
    listeners.size > 0 && (gapSince !== undefined || waiting.length > 0);

  const work = async (feed: Feed): Promise<void> => {
    if (feed.workingSince) return;
    feed.workingSince = services.clock.now();
    while (isBehind(feed)) {
      try {
        if (feed.gapSince) await fillGap(feed);
        else await takeNext(feed);
      } catch (error) {
        log.warn({ err: error }, 'reading missed events failed: retrying');
        await pause();
      }
    }
    feed.workingSince = undefined;
  };

  const take = (feed: Feed, event: DomainEvent): void => {
    if (!feed.workingSince && !feed.progress.isEarly(event)) {
      deliver(feed, event);
      return;
    }
    if (feed.waiting.length < MAX_QUEUED) feed.waiting.push(event);
    else {
      feed.waiting.length = 0;
      feed.gapSince = earlier(feed.workingSince!, feed.gapSince);
    }
    void work(feed);
  };

  const open = (organizationId: string): Feed => {
    const feed: Feed = {
      organizationId,
      listeners: new Set(),
      progress: createProgress(),
      followedSince: services.clock.now(),
      waiting: [],
      gapSince: undefined,
      workingSince: undefined,
      leave: bus.subscribe(organizationTopic(organizationId), (text) => take(feed, readEvent(text as string))),
    };
    feeds.set(organizationId, feed);
    return feed;
  };

  bus.onGap(({ since }) => {
    for (const feed of feeds.values()) {
      feed.gapSince = earlier(since, feed.gapSince);
      void work(feed);
    }
  });

  return {
    follow: (organizationId, listener) => {
      const feed = feeds.get(organizationId) ?? open(organizationId);
      feed.listeners.add(listener);
      return () => {
        feed.listeners.delete(listener);
        if (feed.listeners.size > 0 || feeds.get(organizationId) !== feed) return;
        feed.leave();
        feeds.delete(organizationId);
      };
    },
  };
};
