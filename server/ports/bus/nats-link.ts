import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { BusLog } from './bus.ts';
import { readNatsUrl } from './nats-url.ts';

const FIRST_DELAY = 100;
const MAX_DELAY = 5_000;
// An unresponsive connection is closed after three of these.
const PING_INTERVAL = 10_000;
const DIAL_TIMEOUT = 2_000;
const DRAIN_TIMEOUT = 2_000;

interface LinkOptions {
  url: string;
  log: BusLog;
  /** Called with a connection to subscribe on. It renews its subscriptions itself after a reconnect. */
  onConnection(connection: NatsConnection): void;
  /** Called after a reconnect, once the server has all subscriptions again. */
  onReturn(lostSince: Date): void;
}

/** Keeps one connection to NATS for the lifetime of the process, even if the server is not available yet. */
export const openNatsLink = async ({ url, log, onConnection, onReturn }: LinkOptions) => {
  let connection: NatsConnection | undefined;
  let up = false;
  let closing = false;
  let delay = FIRST_DELAY;
  let aliveAt = new Date();
  let lostSince: Date | undefined;

  const options: ConnectionOptions = {
    ...readNatsUrl(url),
    name: 'parley',
    noEcho: true,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    pingInterval: PING_INTERVAL,
    maxPingOut: 2,
    timeout: DIAL_TIMEOUT,
    reconnectDelayHandler: () => delay,
    // Called once per attempt. Throwing is the only way to end the library's endless initial attempts.
    reconnectToServer: () => {
      if (closing) throw new Error('the bus is closed');
      delay = Math.min(delay * 2, MAX_DELAY) * (0.5 + Math.random() / 2);
      return null;
    },
  };

  const restore = async (current: NatsConnection) => {
    up = true;
    delay = FIRST_DELAY;
    aliveAt = new Date();
    if (!lostSince) return;
    try {
      await current.flush();
    } catch {
      return; // Lost again; the next reconnect reports this outage too.
    }
    if (!lostSince) return;
    log.info({ server: current.getServer() }, 'NATS reconnected');
    onReturn(lostSince);
    lostSince = undefined;
  };

  const fall = () => {
    if (!up) return;
    up = false;
    if (closing) return;
    log.warn({}, 'NATS disconnected: other processes receive no messages until it is back');
    lostSince ??= aliveAt;
  };

  /** Ends when the connection is closed permanently. */
  const watch = async (current: NatsConnection) => {
    let pingedAt = new Date();
    for await (const status of current.status()) {
      if (status.type === 'disconnect') fall();
      else if (status.type === 'reconnect') {
        pingedAt = new Date();
        void restore(current);
      } else if (status.type === 'error') log.error({ err: status.error }, 'NATS reported an error');
      else if (status.type === 'ping') {
        // No other ping is pending, so the previous one was answered and the connection was alive when that one was
        // sent.
        if (status.pendingPings === 1) aliveAt = pingedAt;
        pingedAt = new Date();
      }
    }
  };

  const keepConnected = async (first: NatsConnection | undefined) => {
    for (let current = first; !closing; current = undefined) {
      try {
        current ??= await connect({ ...options, waitOnFirstConnect: true });
      } catch (error) {
        if (!closing) log.error({ err: error }, 'NATS connection closed');
        return;
      }
      connection = current;
      if (closing) return current.close();
      onConnection(current);
      void restore(current);
      await watch(current);
      fall();
    }
  };

  let first: NatsConnection | undefined;
  try {
    // The first attempt may fail, because only a failing attempt reports the reason.
    first = await connect(options);
  } catch (error) {
    log.warn({ err: error }, 'NATS unavailable: retrying');
    lostSince = aliveAt;
  }
  void keepConnected(first);

  return {
    /** The connection while messages can be sent. */
    sender: () => (up && !closing && !connection?.isClosed() ? connection : undefined),
    /** The connection, even while it is reconnecting. */
    current: () => connection,
    async close() {
      if (closing) return;
      closing = true;
      if (!connection) return;
      // Draining waits for responses, which do not arrive without a connection.
      if (up) await settleWithin(DRAIN_TIMEOUT, connection.drain());
      up = false;
      await connection.close();
    },
  };
};

const settleWithin = async (milliseconds: number, work: Promise<void>) => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work.catch(() => {}), timeout]);
  clearTimeout(timer);
};
