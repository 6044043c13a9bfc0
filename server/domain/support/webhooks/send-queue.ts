import type { Executor } from '#server/storage/executor.ts';
import type { DueWebhook } from '#server/storage/platform.ts';
import { type DomainEvent, readEvent } from '../../events.ts';

/** One delivery, leased to the process that sends it. */
export interface LeasedDelivery extends DueWebhook {
  id: string;
  attempts: number;
  leasedUntil: Date;
  action: string;
  event: DomainEvent;
  additionalData: Record<string, unknown>;
  url: string;
  secretKeySealed: Buffer;
  /** Data types of a webhook of the chat-ops API. */
  dataTypes: string[] | null;
  credentialsSealed: Buffer | null;
  /** When the event happened. */
  createdAt: Date;
}

type Row = Omit<LeasedDelivery, 'event' | 'organizationId' | 'webhookId' | 'leasedUntil'> & { event: string };

/** Longer than any attempt. The delivery of a process that died is sent again after this time. */
const LEASE_MS = 30_000;

/** Delays between ten attempts: six hours in total. */
const WAITS_SECONDS = [10, 30, 60, 180, 600, 1_800, 3_600, 6_300, 9_020];

const KEEP_FINISHED_MS = 14 * 24 * 3600 * 1000;
const MAX_REMOVED_PER_BATCH = 1_000;

/** The first due delivery whose chat has no earlier pending one. */
const TAKE = `
update webhook_deliveries d set leased_until = $4
from webhooks w
where w.organization_id = d.organization_id and w.id = d.webhook_id and w.enabled and d.organization_id = $1 and d.id = (
  select p.id from webhook_deliveries p
  where p.organization_id = $1 and p.webhook_id = $2 and p.state = 'pending' and p.next_attempt_at <= $3
    and (p.leased_until is null or p.leased_until <= $3)
    and not exists (
      select from webhook_deliveries e
      where e.organization_id = p.organization_id and e.webhook_id = p.webhook_id and e.chat_id = p.chat_id
        and e.state = 'pending' and e.sequence < p.sequence)
  order by p.next_attempt_at, p.sequence
  limit 1
  for update skip locked)
returning d.id, d.attempts, d.action, d.event::text as event, d.additional_data as "additionalData", w.url,
  w.secret_key_sealed as "secretKeySealed", w.data_types as "dataTypes", w.credentials_sealed as "credentialsSealed",
  d.created_at as "createdAt"`;

export const takeDelivery = async (
  executor: Executor,
  { organizationId, webhookId }: DueWebhook,
  now: Date,
): Promise<LeasedDelivery | undefined> => {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const values = [organizationId, webhookId, now, leasedUntil];
  const { rows } = await executor.query<Row>({ name: 'take_delivery', text: TAKE, values });
  const [row] = rows;
  return row && { ...row, event: readEvent(row.event), organizationId, webhookId, leasedUntil };
};

export interface Attempt {
  delivered: boolean;
  status?: number | undefined;
  error?: string | undefined;
}

/** A process whose lease expired must not record an outcome: another process is sending the delivery. */
const HELD = `d.organization_id = $1 and d.id = $2 and d.state = 'pending' and d.leased_until = $3`;

export const recordAttempt = async (
  executor: Executor,
  { organizationId, id, leasedUntil, attempts }: LeasedDelivery,
  { delivered, status, error }: Attempt,
  now: Date,
): Promise<void> => {
  const wait = WAITS_SECONDS[attempts];
  const state = delivered ? 'delivered' : wait === undefined ? 'failed' : 'pending';
  const next = new Date(now.getTime() + (wait ?? 0) * 1000);
  await executor.query({
    name: 'record_attempt',
    text: `
      update webhook_deliveries d set state = $4, attempts = d.attempts + 1, next_attempt_at = $5, leased_until = null,
        last_status = $6, last_error = $7, finished_at = $8
      where ${HELD}`,
    values: [
      organizationId,
      id,
      leasedUntil,
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

/** Returns the delivery to the queue without counting an attempt. */
export const returnDelivery = async (
  executor: Executor,
  { organizationId, id, leasedUntil }: LeasedDelivery,
): Promise<void> => {
  await executor.query({
    name: 'return_delivery',
    text: `update webhook_deliveries d set leased_until = null where ${HELD}`,
    values: [organizationId, id, leasedUntil],
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
