import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Database } from './storage/database.ts';

const POLL_INTERVAL_MS = 20;
/** After this long without a request, everything that clients had sent has arrived. */
const IDLE_MS = 200;
const MAX_LINGER_MS = 500;
const REQUESTS_MS = 3_500;
const ERROR_RESPONSES_MS = 300;
export const CLOSE_HTTP_MS = MAX_LINGER_MS + REQUESTS_MS + ERROR_RESPONSES_MS + IDLE_MS;

const until = async (condition: () => boolean, withinMs: number): Promise<boolean> => {
  const end = performance.now() + withinMs;
  while (!condition() && performance.now() < end) await delay(POLL_INTERVAL_MS);
  return condition();
};

/**
 * Prepares a close that resets no connection. The listener closes first while connections stay open, so that a request already on
 * its way is answered; the response announces the end of the connection.
 */
export const prepareCloseHttp = (app: FastifyInstance, database: Database): (() => Promise<void>) => {
  let pendingRequests = 0;
  let lastAt = 0;
  app.server.on('request', (_, response) => {
    lastAt = performance.now();
    if (response.writableEnded) return; // Already answered.
    pendingRequests++;
    response.once('close', () => pendingRequests--);
  });
  const isIdle = (): boolean => pendingRequests === 0 && performance.now() - lastAt >= IDLE_MS;

  return async () => {
    lastAt = performance.now();
    // The HTTP server's own close would end idle connections immediately.
    Server.prototype.close.call(app.server);
    await until(isIdle, MAX_LINGER_MS);
    const closed = app.close();
    const isDone = await until(isIdle, REQUESTS_MS);
    const late = pendingRequests;
    if (!isDone) {
      // Requests whose statements are canceled answer with an error.
      database.destroyConnections();
      await until(() => pendingRequests === 0, ERROR_RESPONSES_MS);
    }
    app.server.closeAllConnections();
    await closed;
    if (late > 0) throw new Error(`${late} requests were not answered in time`);
  };
};
