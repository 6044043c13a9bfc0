import { removeOldDeliveries } from '#server/domain/support/webhooks/send-queue.ts';
import { type DueWebhook, findDueWebhooks } from '#server/storage/platform.ts';
import { type DeliveryTools, deliverNext } from './deliver-webhook.ts';

/** Limits of concurrent deliveries, so that a receiver that hangs only uses its own share. */
const PER_WEBHOOK = 4;
const PER_ORGANIZATION = 8;
const MAX_CONCURRENT = 128;
/** After this many in a row, other webhooks go first. */
const MAX_IN_A_ROW = 50;

export interface WebhookSender {
  /** Starts sending what is due and returns how many webhooks have something due. */
  poll(): Promise<number>;
  /** Sends everything that is due, and what becomes due by it; tests call this instead of waiting. */
  drain(): Promise<void>;
  /** Resolves when nothing is being sent. */
  stop(): Promise<void>;
}

/**
 * Sends the rows of the outbox table. Every worker process does: a row is leased to one sender at a time, and the lease of a
 * process that died expires. `onFree` is called when there is room to send more.
 */
export const createWebhookSender = (tools: DeliveryTools, onFree: () => void): WebhookSender => {
  const { database, services, log } = tools;
  const inFlight = new Map<Promise<void>, DueWebhook>();

  const hasRoom = ({ organizationId, webhookId }: DueWebhook): boolean => {
    const ofOrganization = [...inFlight.values()].filter((one) => one.organizationId === organizationId);
    const ofWebhook = ofOrganization.filter((one) => one.webhookId === webhookId);
    return inFlight.size < MAX_CONCURRENT && ofOrganization.length < PER_ORGANIZATION && ofWebhook.length < PER_WEBHOOK;
  };

  const sendSome = async (webhook: DueWebhook): Promise<void> => {
    try {
      for (let sent = 0; sent < MAX_IN_A_ROW; sent++) if (!(await deliverNext(tools, webhook))) break;
      await removeOldDeliveries(database, webhook, services.clock.now());
    } catch (error) {
      log.error({ err: error }, 'webhook delivery failed');
    }
  };

  const begin = (webhook: DueWebhook): void => {
    const sending: Promise<void> = sendSome(webhook).finally(() => {
      inFlight.delete(sending);
      onFree();
    });
    inFlight.set(sending, webhook);
  };

  const poll = async (): Promise<number> => {
    const due = await findDueWebhooks(database, services.clock.now(), MAX_CONCURRENT * 2);
    for (const webhook of due) for (let n = 0; n < PER_WEBHOOK && hasRoom(webhook); n++) begin(webhook);
    return due.length;
  };

  const settle = async (): Promise<void> => {
    while (inFlight.size > 0) await Promise.all(inFlight.keys());
  };

  return {
    poll,
    drain: async () => {
      while ((await poll()) > 0) await settle();
    },
    stop: settle,
  };
};
