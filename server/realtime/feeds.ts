import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DomainError } from '#server/domain/errors.ts';
import { type DomainEvent, organizationTopic, readEvent } from '#server/domain/events.ts';
import { openOrganizationScope, type Services } from '#server/domain/scope.ts';
import type { Bus } from '#server/ports/bus/bus.ts';
import { readMissing, readSince } from './missed.ts';
import { createProgress, type Progress } from './progress.ts';
import { createTurns } from './turns.ts';

type Listener = (event: DomainEvent) => void;
type EventSent = Extract<DomainEvent, { type: 'event_sent' }>;

export interface Feeds {
  /** What happens in the organization from now on: each thing once, those of a chat in order, also across a lost link. */
  follow(organizationId: string, listener: Listener): () => void;
}

interface Feed {
  organizationId: string;
  listeners: Set<Listener>;
  progress: Progress;
  followedSince: Date;
  /** What arrived while something missed is being read. */
  waiting: DomainEvent[];
  gapSince: Date | undefined;
  workingSince: Date | undefined;
  leave(): void;
}

export interface FeedParts {
  bus: Bus;
  services: Services;
  log: Logger;
  /** Between a read that failed and the next; tests do not wait. */
  pause?(): Promise<unknown>;
}

/**
 * An event can be older than its announcement by as long as a statement may run, and two machines' clocks differ. What is
 * read twice because of this is known by its number.
 */
const MARGIN_MS = 20_000;
const MAX_QUEUED = 10_000;
const RETRY_MS = 2_000;
/** After an outage every organization asks at once; most connections are for those who wait for an answer. */
const MAX_CONCURRENT_READS = 4;
const MAX_CONCURRENT_TOLD = 50;

const pauseBeforeRetry = () => setTimeout(RETRY_MS, undefined, { ref: false });

const earlier = (one: Date, other: Date | undefined): Date => (other && other < one ? other : one);

/** Turns the bus, which may lose and disorder, into what listeners can rely on. */
export const createFeeds = ({ bus, services, log, pause = pauseBeforeRetry }: FeedParts): Feeds => {
  const feeds = new Map<string, Feed>();
  const inTurn = createTurns(MAX_CONCURRENT_READS);

  const tell = (feed: Feed, event: DomainEvent): void => {
    if (!feed.progress.isNews(event)) return;
    for (const listener of feed.listeners) {
      try {
        listener(event);
      } catch (error) {
        log.error({ err: error, type: event.type }, 'a listener of the feed failed');
      }
    }
  };

  const tellAll = async (feed: Feed, events: AsyncIterable<DomainEvent>): Promise<void> => {
    let count = 0;
    for await (const event of events) {
      tell(feed, event);
      // Much at once would look as if nobody read it: the sockets need time to write.
      if (++count % MAX_CONCURRENT_TOLD === 0) await setImmediate();
    }
  };

  const systemScope = ({ organizationId }: Feed) => openOrganizationScope(services, { kind: 'system' }, organizationId);

  const fillGap = async (feed: Feed): Promise<void> => {
    const gap = feed.gapSince!;
    feed.gapSince = undefined;
    const since = new Date(Math.max(gap.getTime(), feed.followedSince.getTime()) - MARGIN_MS);
    try {
      await inTurn(() => tellAll(feed, readSince(systemScope(feed), feed.progress, since)));
    } catch (error) {
      feed.gapSince = earlier(gap, feed.gapSince);
      throw error;
    }
  };

  /** Tells what comes before it first. Of a chat that is gone there is nothing to read. */
  const tellMissing = async (feed: Feed, event: EventSent): Promise<void> => {
    try {
      await inTurn(() => tellAll(feed, readMissing(systemScope(feed), feed.progress, event)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  };

  /** An event keeps its place until what comes before it is told. */
  const takeNext = async (feed: Feed): Promise<void> => {
    const event = feed.waiting[0]!;
    if (event.type === 'event_sent' && feed.progress.isEarly(event)) await tellMissing(feed, event);
    // So many may have come meanwhile that all were dropped, to be read as a gap.
    if (feed.waiting[0] !== event) return;
    feed.waiting.shift();
    tell(feed, event);
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
        log.warn({ err: error }, 'missed events could not be read; trying again');
        await pause();
      }
    }
    feed.workingSince = undefined;
  };

  const take = (feed: Feed, event: DomainEvent): void => {
    if (!feed.workingSince && !feed.progress.isEarly(event)) {
      tell(feed, event);
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
