import type { Executor } from '#server/storage/executor.ts';
import { DomainError } from '../../../errors.ts';
import type { Services } from '../../../scope.ts';

export interface AttemptLimit {
  burst: number;
  /** Seconds until another attempt is allowed. */
  refillSeconds: number;
}

/** When earlier attempts no longer count, limited in case clocks were set back. */
const BEFORE = `greatest(least(t.resets_at, $2::timestamptz + $4 * interval '1 second'), $2)`;
const AFTER = `${BEFORE} + $3 * interval '1 second'`;
const IS_LIMITED = `${AFTER} > $2::timestamptz + $4 * interval '1 second'`;

/** A token bucket stored as one time: each attempt moves the reset time forward, at most by a full burst. */
const COUNT_ATTEMPT = `
insert into sign_in_attempts as t (id, resets_at) values ($1, $2::timestamptz + $3 * interval '1 second')
on conflict (id) do update
set refused = ${IS_LIMITED}, resets_at = case when ${IS_LIMITED} then ${BEFORE} else ${AFTER} end
returning t.refused`;

/** Counts an attempt by the account or network in `of`, across all processes; throws when there were too many. */
export const countAttempt = async (
  { executor, secrets, clock }: Pick<Services, 'executor' | 'secrets' | 'clock'>,
  of: string,
  { burst, refillSeconds }: AttemptLimit,
): Promise<void> => {
  const values = [secrets.hash(`sign-in ${of}`), clock.now(), refillSeconds, burst * refillSeconds];
  const { rows } = await executor.query<{ refused: boolean }>({ name: 'try_sign_in', text: COUNT_ATTEMPT, values });
  if (rows[0]!.refused)
    throw new DomainError('too_many_requests', 'Too many requests', { retryAfterSeconds: refillSeconds });
};

/** Takes back an attempt that succeeded: only failures count. */
export const refundAttempt = async (
  { executor, secrets }: Pick<Services, 'executor' | 'secrets'>,
  of: string,
  { refillSeconds }: AttemptLimit,
): Promise<void> => {
  await executor.query({
    name: 'refund_sign_in',
    text: `update sign_in_attempts t set resets_at = t.resets_at - $2 * interval '1 second' where t.id = $1`,
    values: [secrets.hash(`sign-in ${of}`), refillSeconds],
  });
};

/** Deletes rows without effect. */
export const removeExpiredAttempts = async (executor: Executor, now: Date): Promise<void> => {
  const text = 'delete from sign_in_attempts where resets_at <= $1';
  await executor.query({ name: 'remove_expired_attempts', text, values: [now] });
};
