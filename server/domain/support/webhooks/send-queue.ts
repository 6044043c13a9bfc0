import type { Executor } from '#server/storage/executor.ts';
import type { DueWebhook } from '#server/storage/platform.ts';
import { type DomainEvent, readEvent } from '../../events.ts';

/** A webhook that one process sends to at a time, so that the deliveries of a chat stay in order. */
export interface LeasedWebhook extends DueWebhook {
  /** The process. */
  leasedBy: string;
  url: string;
  secretKeySealed: Buffer;
  /** Data types of a webhook of the chat-ops API. */
  dataTypes: string[] | null;
  credentialsSealed: Buffer | null;
}

export interface DueDelivery {
  id: string;
  chatId: string | null;
  attempts: number;
  action: string;
  event: DomainEvent;
  additionalData: Record<string, unknown>;
  /** When the event happened. */
  createdAt: Date;
}

export type LeasedDelivery = DueDelivery & Omit<LeasedWebhook, 'leasedBy'>;

/** Delays between ten attempts: six hours in total. */
const RETRY_DELAYS_SECONDS = [10, 30, 60, 180, 600, 1_800, 3_600, 6_300, 9_020];

const KEEP_FINISHED_MS = 14 * 24 * 3600 * 1000;
const MAX_REMOVED_PER_BATCH = 1_000;

export interface Lease {
  leasedBy: string;
  now: Date;
  /** Another process may send to the webhook after this time. */
  until: Date;
}

/** Returns undefined if another process sends to the webhook, or if it is disabled or removed. */
export const leaseWebhook = async (
  executor: Executor,
  { organizationId, webhookId }: DueWebhook,
  { leasedBy, now, until }: Lease,
): Promise<LeasedWebhook | undefined> => {
  const { rows } = await executor.query<Omit<LeasedWebhook, keyof DueWebhook | 'leasedBy'>>({
    name: 'lease_webhook',
    text: `
      update webhooks w set leased_by = $3, leased_until = $5
      where w.organization_id = $1 and w.id = $2 and w.enabled and (w.leased_until is null or w.leased_until <= $4)
      returning w.url, w.secret_key_sealed as "secretKeySealed", w.data_types as "dataTypes",
        w.credentials_sealed as "credentialsSealed"`,
    values: [organizationId, webhookId, leasedBy, now, until],
  });
  return rows[0] && { ...rows[0], organizationId, webhookId, leasedBy };
};

/** Extends the lease, or ends it with `null`. */
export const setLease = async (
  executor: Executor,
  { organizationId, webhookId, leasedBy }: Pick<LeasedWebhook, keyof DueWebhook | 'leasedBy'>,
  until: Date | null,
): Promise<void> => {
  await executor.query({
    name: 'set_webhook_lease',
    text: 'update webhooks w set leased_until = $4 where w.organization_id = $1 and w.id = $2 and w.leased_by = $3',
    values: [organizationId, webhookId, leasedBy, until],
  });
};

type DueRow = Omit<DueDelivery, 'event'> & { event: string };

/** The due deliveries of a webhook, in order. One that waits for its next attempt blocks the later ones of its chat. */
const LIST_DUE = `
select d.id, d.chat_id as "chatId", d.attempts, d.action, d.event::text as event, d.additional_data as "additionalData",
  d.created_at as "createdAt"
from webhook_deliveries d
where d.organization_id = $1 and d.webhook_id = $2 and d.state = 'pending' and d.next_attempt_at <= $3
  and not exists (
    select from webhook_deliveries e
    where e.organization_id = d.organization_id and e.webhook_id = d.webhook_id and e.chat_id = d.chat_id
      and e.state = 'pending' and e.sequence < d.sequence and e.next_attempt_at > $3)
order by d.sequence
limit $4`;

export const listDueDeliveries = async (
  executor: Executor,
  { organizationId, webhookId }: DueWebhook,
  now: Date,
  limit: number,
): Promise<DueDelivery[]> => {
  const values = [organizationId, webhookId, now, limit];
  const { rows } = await executor.query<DueRow>({ name: 'list_due_deliveries', text: LIST_DUE, values });
  return rows.map((row) => ({ ...row, event: readEvent(row.event) }));
};

export interface Attempt {
  delivered: boolean;
  status?: number | undefined;
  error?: string | undefined;
}

/** The number of attempts must be unchanged: a process whose lease expired must not record an outcome. */
export const recordAttempt = async (
  executor: Executor,
  { organizationId, id, attempts }: LeasedDelivery,
  { delivered, status, error }: Attempt,
  now: Date,
): Promise<void> => {
  const wait = RETRY_DELAYS_SECONDS[attempts];
  const state = delivered ? 'delivered' : wait === undefined ? 'failed' : 'pending';
  const next = new Date(now.getTime() + (wait ?? 0) * 1000);
  await executor.query({
    name: 'record_attempt',
    text: `
      update webhook_deliveries d set state = $4, attempts = d.attempts + 1, next_attempt_at = $5, last_status = $6,
        last_error = $7, finished_at = $8
      where d.organization_id = $1 and d.id = $2 and d.state = 'pending' and d.attempts = $3`,
    values: [
      organizationId,
      id,
      attempts,
      state,
      next,
      status ?? null,
      error ?? null,
      state === 'pending' ? null : now,
    ],
  });
};

/** A webhook of the chat-ops API accepted a delivery. */
export const recordVerified = async (executor: Executor, { organizationId, webhookId }: DueWebhook): Promise<void> => {
  await executor.query({
    name: 'record_verified',
    text: 'update webhooks w set verified = true where w.organization_id = $1 and w.id = $2 and not w.verified',
    values: [organizationId, webhookId],
  });
};

/** Removes finished deliveries after two weeks. */
export const removeOldDeliveries = async (
  executor: Executor,
  { organizationId, webhookId }: DueWebhook,
  now: Date,
): Promise<void> => {
  await executor.query({
    name: 'remove_old_deliveries',
    text: `
      delete from webhook_deliveries d where d.organization_id = $1 and d.id in (
        select o.id from webhook_deliveries o
        where o.organization_id = $1 and o.webhook_id = $2 and o.state <> 'pending' and o.finished_at < $3
        limit ${MAX_REMOVED_PER_BATCH})`,
    values: [organizationId, webhookId, new Date(now.getTime() - KEEP_FINISHED_MS)],
  });
};
