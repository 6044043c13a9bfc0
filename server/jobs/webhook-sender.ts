import { randomUUID } from 'node:crypto';
import {
  type DueDelivery,
  type LeasedWebhook,
  leaseWebhook,
  listDueDeliveries,
  removeOldDeliveries,
  setLease,
} from '#server/domain/support/webhooks/send-queue.ts';
import { type DueWebhook, findDueWebhooks } from '#server/storage/platform.ts';
import { type DeliveryTools, deliver } from './deliver-webhook.ts';

/** Limits of concurrent deliveries per process. */
const MAX_PER_WEBHOOK = 4;
const MAX_PER_ORGANIZATION = 8;
const MAX_FAST = 128;
/** For receivers that are slow or fail, so that they do not delay the others. */
const MAX_SLOW = 256;
/** A receiver that takes longer to respond is slow. */
const SLOW_AFTER_MS = 1_000;
/** After this time, other webhooks and newer deliveries get their turn. */
const RUN_MS = 1_000;
const MAX_PER_RUN = 200;
const MAX_FOUND = 500;
/** Longer than a run with a fast receiver. The deliveries of a process that died are sent again after this time. */
const LEASE_MS = 5_000;
/** Longer than any attempt. */
const SLOW_LEASE_MS = 20_000;

export interface WebhookSender {
  /** Starts sending what is due, as far as there is room. */
  poll(): Promise<void>;
  /** Sends everything that is due, and what becomes due by it; tests call this instead of waiting. */
  drain(): Promise<void>;
  /** Resolves when nothing is being sent. */
  stop(): Promise<void>;
}

/** Deliveries of one webhook that are being sent. */
interface Run {
  webhook: DueWebhook;
  /** How many are sent at the same time. */
  width: number;
  isSlow: boolean;
  ended: Promise<void>;
}

/** Deliveries of a chat are sent one after the other. */
const groupByChat = (due: DueDelivery[]): DueDelivery[][] => [
  ...Map.groupBy(due, ({ id, chatId }) => chatId ?? id).values(),
];

/**
 * Sends the rows of the outbox table. Every worker process does: a webhook is leased to one process at a time, and the lease of
 * a process that died expires. Receivers that are slow or fail share a limited number of places until they respond quickly
 * again. `onFree` is called when there is room to send more.
 */
export const createWebhookSender = (tools: DeliveryTools, onFree: () => void): WebhookSender => {
  const { database, services, log } = tools;
  const leasedBy = randomUUID();
  const runs = new Map<string, Run>();
  /** By webhook: how many deliveries may be sent to a slow receiver at the same time. */
  const slowWidths = new Map<string, number>();
  let freed = Promise.withResolvers<void>();
  let isStopped = false;

  const announceRoom = (): void => {
    freed.resolve();
    freed = Promise.withResolvers();
    onFree();
  };

  const after = (ms: number): Date => new Date(services.clock.now().getTime() + ms);

  const countUsed = (isCounted: (run: Run) => boolean): number =>
    [...runs.values()].filter(isCounted).reduce((sum, { width }) => sum + width, 0);

  const roomFor = ({ organizationId, webhookId }: DueWebhook): { width: number; isSlow: boolean } => {
    const slowWidth = slowWidths.get(webhookId);
    const isSlow = slowWidth !== undefined;
    const total = countUsed((run) => run.isSlow === isSlow);
    const ofOrganization = countUsed((run) => run.isSlow === isSlow && run.webhook.organizationId === organizationId);
    const free = Math.min((isSlow ? MAX_SLOW : MAX_FAST) - total, MAX_PER_ORGANIZATION - ofOrganization);
    return { width: Math.min(slowWidth ?? MAX_PER_WEBHOOK, free), isSlow };
  };

  /** Frees the places of the run for others before the receiver has responded. */
  const moveToSlow = (run: Run): void => {
    const { webhook } = run;
    slowWidths.set(webhook.webhookId, 1);
    setLease(database, { ...webhook, leasedBy }, after(SLOW_LEASE_MS)).catch((error: unknown) =>
      log.error({ err: error }, 'extending the lease of a webhook failed'),
    );
    if (run.isSlow || countUsed(({ isSlow }) => isSlow) + run.width > MAX_SLOW) return;
    run.isSlow = true;
    announceRoom();
  };

  /** Returns whether the next delivery of the chat may be sent. */
  const deliverOne = async (run: Run, webhook: LeasedWebhook, delivery: DueDelivery): Promise<boolean> => {
    let tookLong = false;
    const timer = setTimeout(() => {
      tookLong = true;
      moveToSlow(run);
    }, SLOW_AFTER_MS).unref();
    const outcome = await deliver(tools, { ...webhook, ...delivery }).finally(() => clearTimeout(timer));
    const { webhookId } = webhook;
    if (outcome === 'failed') slowWidths.set(webhookId, 1);
    else if (outcome === 'delivered' && tookLong) slowWidths.set(webhookId, MAX_PER_WEBHOOK);
    else if (outcome === 'delivered') slowWidths.delete(webhookId);
    return outcome === 'delivered';
  };

  const deliverDue = async (run: Run, webhook: LeasedWebhook): Promise<void> => {
    const chats = groupByChat(await listDueDeliveries(database, webhook, services.clock.now(), MAX_PER_RUN));
    const endsAt = performance.now() + RUN_MS;
    const deliverChats = async (): Promise<void> => {
      for (let chat = chats.shift(); chat; chat = chats.shift()) {
        for (const delivery of chat) {
          if (isStopped || performance.now() > endsAt) return;
          if (!(await deliverOne(run, webhook, delivery))) break;
        }
      }
    };
    // All must have ended before the lease does.
    const ended = await Promise.allSettled(Array.from({ length: run.width }, deliverChats));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  };

  const send = async (run: Run): Promise<void> => {
    const lease = { leasedBy, now: services.clock.now(), until: after(LEASE_MS) };
    const webhook = await leaseWebhook(database, run.webhook, lease);
    if (!webhook) return;
    try {
      await deliverDue(run, webhook);
      await removeOldDeliveries(database, webhook, services.clock.now());
    } finally {
      await setLease(database, webhook, null);
    }
  };

  const begin = (webhook: DueWebhook, room: { width: number; isSlow: boolean }): void => {
    const run: Run = { webhook, ...room, ended: Promise.resolve() };
    runs.set(webhook.webhookId, run);
    run.ended = send(run)
      .catch((error: unknown) => log.error({ err: error }, 'webhook delivery failed'))
      .finally(() => {
        runs.delete(webhook.webhookId);
        announceRoom();
      });
  };

  const poll = async (): Promise<void> => {
    if (isStopped) return;
    const hasSlowRoom = countUsed(({ isSlow }) => isSlow) < MAX_SLOW;
    const except = [...runs.keys(), ...(hasSlowRoom ? [] : slowWidths.keys())];
    for (const webhook of await findDueWebhooks(database, { now: services.clock.now(), except, limit: MAX_FOUND })) {
      const room = roomFor(webhook);
      if (room.width > 0 && !runs.has(webhook.webhookId)) begin(webhook, room);
    }
  };

  return {
    poll,
    drain: async () => {
      for (;;) {
        const { promise } = freed;
        await poll();
        if (runs.size > 0) await promise;
        else if (promise === freed.promise) return;
      }
    },
    stop: async () => {
      isStopped = true;
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
};
