import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import type { Bus, BusLog, Gap } from './bus.ts';
import { isJsonData } from './json-data.ts';
import { createLocalTopics } from './local-topics.ts';
import { openNatsLink } from './nats-link.ts';
import { createSendBuffer } from './send-buffer.ts';
import { gapSubject, isSafeSubject, subjectOf } from './subject.ts';

interface NatsBusOptions {
  url: string;
  log: BusLog;
  prefix?: string;
}

/**
 * The bus of a multi-process installation. Resolves after one connection attempt, even if it fails; without a
 * server it serves this process and keeps trying.
 */
export const connectNatsBus = async ({ url, log, prefix = 'parley' }: NatsBusOptions): Promise<Bus> => {
  if (!isSafeSubject(prefix)) throw new Error(`NATS prefix must be a plain subject: ${prefix}`);
  const local = createLocalTopics(log);
  const remote = new Map<string, Subscription>();
  const gapListeners = new Set<{ listener: (gap: Gap) => void }>();
  let dropped = 0;
  let stalledSince: Date | undefined;
  let closed = false;

  const receive = (connection: NatsConnection, subject: string, take: (message: unknown) => void): Subscription =>
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return log.error({ err: error, subject }, 'NATS subscription rejected');
        let data: unknown;
        try {
          data = message.json();
        } catch {
          return log.warn({ subject }, 'NATS message ignored: not JSON');
        }
        take(data);
      },
    });

  const follow = (connection: NatsConnection, topic: string) =>
    remote.set(
      topic,
      receive(connection, subjectOf(prefix, topic), (message) => local.deliver(topic, message)),
    );

  const reportGap = (since: Date) => {
    for (const { listener } of gapListeners) {
      try {
        listener({ since });
      } catch (error) {
        log.error({ err: error }, 'gap listener failed');
      }
    }
  };

  const link = await openNatsLink({
    url,
    log,
    onConnection(connection) {
      remote.clear();
      for (const topic of local.topics()) follow(connection, topic);
      receive(connection, gapSubject(prefix), (notice) => {
        const { age } = (notice ?? {}) as { age?: unknown };
        if (typeof age === 'number') reportGap(new Date(Date.now() - age));
      });
    },
    onReturn(lostSince) {
      announceGap(lostSince);
      reportGap(lostSince);
    },
  });

  /** Other processes cannot know which messages of this process they missed. */
  const announceGap = (since: Date) => {
    // An age instead of a time, because the clocks of two machines differ.
    link.sender()?.publish(gapSubject(prefix), JSON.stringify({ age: Date.now() - since.getTime() }));
  };

  const sendBuffer = createSendBuffer(() => {
    if (!stalledSince) return;
    announceGap(stalledSince);
    stalledSince = undefined;
  });

  const send = (topic: string, message: unknown) => {
    const connection = link.sender();
    const limit = connection?.info?.max_payload;
    if (!connection || !limit) {
      dropped += 1;
      return;
    }
    if (sendBuffer.full()) {
      dropped += 1;
      stalledSince ??= new Date();
      return;
    }
    const payload = Buffer.from(JSON.stringify(message));
    if (payload.length > limit) {
      dropped += 1;
      log.error({ topic, bytes: payload.length, limit }, 'bus message delivered locally only: too large for NATS');
      return;
    }
    connection.publish(subjectOf(prefix, topic), payload);
    sendBuffer.add(connection, payload.length);
  };

  return {
    publish(topic, message) {
      if (closed) return;
      if (!isJsonData(message)) {
        log.error({ topic }, 'bus message dropped: not JSON data');
        return;
      }
      local.deliver(topic, message);
      try {
        send(topic, message);
      } catch (error) {
        dropped += 1;
        log.error({ err: error, topic }, 'bus message could not be sent to NATS');
      }
    },

    subscribe(topic, listener) {
      if (closed) return () => {};
      const leave = local.subscribe(topic, listener);
      const connection = link.current();
      if (connection && !connection.isClosed() && !remote.has(topic)) follow(connection, topic);
      return () => {
        leave();
        if (local.hasListeners(topic)) return;
        remote.get(topic)?.unsubscribe();
        remote.delete(topic);
      };
    },

    onGap(listener) {
      const entry = { listener };
      gapListeners.add(entry);
      return () => gapListeners.delete(entry);
    },

    connected: () => link.sender() !== undefined,
    dropped: () => dropped,

    async close() {
      closed = true;
      await link.close();
      await local.close();
    },
  };
};
