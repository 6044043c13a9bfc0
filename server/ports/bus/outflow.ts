import type { NatsConnection } from '@nats-io/transport-node';

const CONFIRM_EVERY = 1024 * 1024;
const MAX_UNCONFIRMED = 16 * 1024 * 1024;

/**
 * Counts the bytes the server has not answered for yet. The library writes to the socket without a bound, so a server that
 * stands still would fill this process's memory until the pings notice.
 */
export const createOutflow = (onRelief: () => void) => {
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
        onRelief();
      }
    } catch {
      // The link is gone, and its buffers with it.
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
