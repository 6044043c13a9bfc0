import { removeOldDeliveries } from '#server/domain/support/webhooks/send-queue.ts';
import { type DueWebhook, findDueWebhooks } from '#server/storage/platform.ts';
import { type DeliveryTools, deliverNext } from './deliver-webhook.ts';

/** How many messages are on their way at once. A receiver that hangs holds its own share and nobody else's. */
const PER_WEBHOOK = 4;
const PER_ORGANIZATION = 8;
const MAX_PER_BATCH = 128;
/** Then others get their turn. */
const MAX_IN_A_ROW = 50;
const POLL_INTERVAL_MS = 1_000;

export interface WebhookSender {
  /** Looks for messages from now on. */
  work(): void;
  /** There is something to send: looks at once. Without `work` nothing happens. */
  wake(): void;
  /** Sends everything that is due, and what becomes due by it; tests call this instead of waiting. */
  drain(): Promise<void>;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

/**
 * The outbox table is the truth; this only looks into it. Each process may: a message is held by one sender at a time, and
 * one that dies gives it back when its lease ends.
 */
export const createWebhookSender = (tools: DeliveryTools): WebhookSender => {
  const { database, services, log } = tools;
  const underway = new Map<Promise<void>, DueWebhook>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<number> | undefined;
  let again = false;

  const hasRoom = ({ organizationId, webhookId }: DueWebhook): boolean => {
    const ofOrganization = [...underway.values()].filter((one) => one.organizationId === organizationId);
    const ofWebhook = ofOrganization.filter((one) => one.webhookId === webhookId);
    return underway.size < MAX_PER_BATCH && ofOrganization.length < PER_ORGANIZATION && ofWebhook.length < PER_WEBHOOK;
  };

  const sendSome = async (webhook: DueWebhook): Promise<void> => {
    try {
      for (let sent = 0; sent < MAX_IN_A_ROW; sent++) if (!(await deliverNext(tools, webhook))) break;
      await removeOldDeliveries(database, webhook, services.clock.now());
    } catch (error) {
      log.error({ err: error }, 'webhooks could not be sent');
    }
  };

  const begin = (webhook: DueWebhook): void => {
    const sending: Promise<void> = sendSome(webhook).finally(() => {
      underway.delete(sending);
      wake();
    });
    underway.set(sending, webhook);
  };

  const look = async (): Promise<number> => {
    const due = await findDueWebhooks(database, services.clock.now(), MAX_PER_BATCH * 2);
    for (const webhook of due) for (let n = 0; n < PER_WEBHOOK && hasRoom(webhook); n++) begin(webhook);
    return due.length;
  };

  /** One look at a time; whoever asks meanwhile causes one more. */
  const wake = (): void => {
    if (!timer) return;
    again = looking !== undefined;
    looking ??= look()
      .catch((error: unknown) => {
        log.error({ err: error }, 'the outbox of webhooks could not be read');
        return 0;
      })
      .finally(() => {
        looking = undefined;
        if (again) wake();
      });
  };

  const settle = async (): Promise<void> => {
    while (underway.size > 0) await Promise.all(underway.keys());
  };

  return {
    work: () => {
      timer = setInterval(wake, POLL_INTERVAL_MS);
      wake();
    },
    wake,
    drain: async () => {
      while ((await look()) > 0) await settle();
    },
    stop: async () => {
      clearInterval(timer);
      timer = undefined;
      await looking;
      await settle();
    },
  };
};
