import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { BusLog } from './bus.ts';
import { readNatsUrl } from './nats-url.ts';

const FIRST_DELAY = 100;
const MAX_DELAY = 5_000;
// A silent link is given up after three of these.
const PING_INTERVAL = 10_000;
const DIAL_TIMEOUT = 2_000;
const DRAIN_TIMEOUT = 2_000;

interface LinkOptions {
  url: string;
  log: BusLog;
  /** A connection to subscribe on; it renews its subscriptions itself when it comes back after a loss. */
  onConnection(connection: NatsConnection): void;
  /** The link is back after an outage, and the server has every subscription again. */
  onReturn(lostSince: Date): void;
}

/** Keeps one connection to NATS for as long as the process lives, also when there is no server yet. */
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
    // Called once for each attempt. To throw is the library's way out of its first, otherwise endless, attempts.
    reconnectToServer: () => {
      if (closing) throw new Error('the bus is closed');
      delay = Math.min(delay * 2, MAX_DELAY) * (0.5 + Math.random() / 2);
      return null;
    },
  };

  const rise = async (current: NatsConnection) => {
    up = true;
    delay = FIRST_DELAY;
    aliveAt = new Date();
    if (!lostSince) return;
    try {
      await current.flush();
    } catch {
      return; // Lost again: the next return speaks for this outage too.
    }
    if (!lostSince) return;
    log.info({ server: current.getServer() }, 'NATS is back');
    onReturn(lostSince);
    lostSince = undefined;
  };

  const fall = () => {
    if (!up) return;
    up = false;
    if (closing) return;
    log.warn({}, 'NATS is away; other processes are not reached until it is back');
    lostSince ??= aliveAt;
  };

  /** Ends when the connection is closed for good. */
  const watch = async (current: NatsConnection) => {
    let pingedAt = new Date();
    for await (const status of current.status()) {
      if (status.type === 'disconnect') fall();
      else if (status.type === 'reconnect') {
        pingedAt = new Date();
        void rise(current);
      } else if (status.type === 'error') log.error({ err: status.error }, 'NATS refused something');
      else if (status.type === 'ping') {
        // No other ping is open: the one before was answered, so the link was whole when that was sent.
        if (status.pendingPings === 1) aliveAt = pingedAt;
        pingedAt = new Date();
      }
    }
  };

  const hold = async (first: NatsConnection | undefined) => {
    for (let current = first; !closing; current = undefined) {
      try {
        current ??= await connect({ ...options, waitOnFirstConnect: true });
      } catch (error) {
        if (!closing) log.error({ err: error }, 'NATS connection given up');
        return;
      }
      connection = current;
      if (closing) return current.close();
      onConnection(current);
      void rise(current);
      await watch(current);
      fall();
    }
  };

  let first: NatsConnection | undefined;
  try {
    // One attempt that may fail, because only such a one tells why.
    first = await connect(options);
  } catch (error) {
    log.warn({ err: error }, 'NATS cannot be reached yet; trying on');
    lostSince = aliveAt;
  }
  void hold(first);

  return {
    /** The connection while messages can be sent on it. */
    sender: () => (up && !closing && !connection?.isClosed() ? connection : undefined),
    /** The connection, also while it is away and coming back. */
    current: () => connection,
    async close() {
      if (closing) return;
      closing = true;
      if (!connection) return;
      // A drain waits for answers: without a link, or when it goes meanwhile, they do not come.
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
