import type { NatsConnection } from '@nats-io/transport-node';

const CONFIRM_EVERY = 1024 * 1024;
const MAX_UNCONFIRMED = 16 * 1024 * 1024;

/**
 * Counts the bytes that the server has not acknowledged. The library buffers without a limit, so a hanging server would
 * fill the memory of this process until the pings fail.
 */
export const createSendBuffer = (onDrain: () => void) => {
  let unconfirmed = 0;
  let confirming = false;

  const confirm = async (connection: NatsConnection) => {
    if (confirming) return;
    confirming = true;
    try {
      while (unconfirmed >= CONFIRM_EVERY) {
        const sent = unconfirmed;
        await connection.flush();
        unconfirmed -= sent;
        onDrain();
      }
    } catch {
      // The connection is closed, and its buffers are gone.
      unconfirmed = 0;
    }
    confirming = false;
  };

  return {
    full: () => unconfirmed >= MAX_UNCONFIRMED,
    add(connection: NatsConnection, bytes: number) {
      unconfirmed += bytes;
      void confirm(connection);
    },
  };
};
