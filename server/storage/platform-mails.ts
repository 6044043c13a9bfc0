import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';
import { queryRows } from './platform-timers.ts';

export interface ClaimedMail {
  ownerId: string;
  id: string;
  kind: string;
  contentSealed: Buffer;
  /** Includes the current attempt. */
  attempts: number;
  createdAt: Date;
}

export interface MailClaim {
  now: Date;
  /** Other processes may claim the mails again after this time. */
  until: Date;
  /** Only mails of these owners. */
  onlyOwners?: string[];
  exceptOwners: string[];
  limit: number;
  /** How many of the limit are reserved for mails of the first priority. */
  reserved: number;
}

/**
 * At most one mail per owner, so that an owner with many mails does not delay others. The recursion visits each owner in the
 * index once instead of reading all mails.
 */
const CLAIM = `
with recursive owner(id) as (
  select min(m.owner_id) from outgoing_mails m where m.state = 'pending'
  union all
  select (select min(m.owner_id) from outgoing_mails m where m.state = 'pending' and m.owner_id > owner.id)
  from owner where owner.id is not null
), due as materialized (
  select first.* from owner cross join lateral (
    select m.owner_id, m.id, m.priority from outgoing_mails m
    where m.owner_id = owner.id and m.state = 'pending' and m.next_attempt_at <= $1
    order by m.priority, m.next_attempt_at limit 1 for update skip locked
  ) first
  where ($3::text[] is null or owner.id = any($3)) and owner.id <> all($4)
), ranked as materialized (
  select due.*, row_number() over (order by due.priority, random()) as ordinal from due
)
update outgoing_mails m set attempts = m.attempts + 1, next_attempt_at = $2
from ranked
where m.owner_id = ranked.owner_id and m.id = ranked.id
  and ranked.ordinal <= case when ranked.priority = 0 then $5::int else $5::int - $6::int end
returning m.owner_id as "ownerId", m.id, m.kind, m.content_sealed as "contentSealed", m.attempts, m.created_at as "createdAt"`;

export const claimMails = (
  executor: Executor,
  { now, until, onlyOwners, exceptOwners, limit, reserved }: MailClaim,
): Promise<ClaimedMail[]> =>
  queryRows(executor, 'claim_mails', CLAIM, [now, until, onlyOwners ?? null, exceptOwners, limit, reserved]);

type MailKey = Pick<ClaimedMail, 'ownerId' | 'id'>;

/** Keeps other processes from claiming mails that are still being sent. */
export const extendMailClaims = async (executor: Executor, mails: MailKey[], until: Date): Promise<void> => {
  await queryRows(
    executor,
    'extend_mail_claims',
    `update outgoing_mails m set next_attempt_at = $3
     from unnest($1::text[], $2::uuid[]) as sending(owner_id, id)
     where m.owner_id = sending.owner_id and m.id = sending.id and m.state = 'pending' and m.next_attempt_at < $3`,
    [mails.map(({ ownerId }) => ownerId), mails.map(({ id }) => id), until],
  );
};

export interface FailedMailRow {
  ownerId: string;
  id: string;
  kind: string;
  contentSealed: Buffer;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  failedAt: Date;
}

/** Newest first. */
export const listFailedMailRows = (
  executor: Executor,
  { before, limit }: { before?: { failedAt: Date; id: string } | undefined; limit: number },
): Promise<FailedMailRow[]> =>
  queryRows(
    executor,
    'list_failed_mails',
    `select m.owner_id as "ownerId", m.id, m.kind, m.content_sealed as "contentSealed", m.attempts, m.last_error as "lastError",
       m.created_at as "createdAt", m.failed_at as "failedAt"
     from outgoing_mails m
     where m.state = 'failed' and ($1::timestamptz is null or (m.failed_at, m.id) < ($1, $2::uuid))
     order by m.failed_at desc, m.id desc limit $3`,
    [before?.failedAt ?? null, before?.id ?? null, limit],
  );

/** Queues failed mails again: one by its id, or those that failed in a time range. Returns how many. */
export const requeueFailedMails = async (
  executor: Executor,
  { id, from, to, now }: { id?: string; from?: Date; to?: Date; now: Date },
): Promise<number> => {
  const rows = await queryRows(
    executor,
    'requeue_failed_mails',
    `update outgoing_mails m set state = 'pending', attempts = 0, next_attempt_at = $4, failed_at = null
     where m.state = 'failed' and ($1::uuid is null or m.id = $1)
       and ($2::timestamptz is null or m.failed_at >= $2) and ($3::timestamptz is null or m.failed_at < $3)
     returning m.id`,
    [id ?? null, from ?? null, to ?? null, now],
  );
  return rows.length;
};

export const removeFailedMails = async (executor: Executor, before: Date): Promise<void> => {
  await executor.query({
    name: 'remove_failed_mails',
    text: `${PLATFORM_MARK} delete from outgoing_mails m where m.state = 'failed' and m.failed_at < $1`,
    values: [before],
  });
};

/** What waits to be sent; for metrics. */
export interface QueueSizes {
  mails: number;
  failedMails: number;
  oldestMail: Date | null;
  webhooks: number;
  oldestWebhook: Date | null;
}

export const measureQueues = async (executor: Executor): Promise<QueueSizes> => {
  const [sizes] = await queryRows<QueueSizes>(
    executor,
    'measure_queues',
    `select m.*, d.* from (
       select count(*) filter (where m.state = 'pending') as mails, count(*) filter (where m.state = 'failed') as "failedMails",
         min(m.created_at) filter (where m.state = 'pending') as "oldestMail" from outgoing_mails m
     ) m cross join (
       select count(*) as webhooks, min(d.created_at) as "oldestWebhook" from webhook_deliveries d where d.state = 'pending'
     ) d`,
    [],
  );
  return sizes!;
};
