import type { Executor } from '#server/storage/executor.ts';
import { DomainError } from '../../../errors.ts';
import type { Services } from '../../../scope.ts';

export interface TryAllowance {
  atOnce: number;
  /** Then one more. */
  everySeconds: number;
}

/** When those before are forgotten; clocks may have been set back, so no more can have been tried than is allowed at once. */
const BEFORE = `greatest(least(t.forgotten_at, $2::timestamptz + $4 * interval '1 second'), $2)`;
const AFTER = `${BEFORE} + $3 * interval '1 second'`;
const IS_TOO_MUCH = `${AFTER} > $2::timestamptz + $4 * interval '1 second'`;

/** Each try moves on the moment when all are forgotten. It may lie as far ahead as all those that are allowed at once. */
const TRY = `
insert into sign_in_tries as t (id, forgotten_at) values ($1, $2::timestamptz + $3 * interval '1 second')
on conflict (id) do update
set refused = ${IS_TOO_MUCH}, forgotten_at = case when ${IS_TOO_MUCH} then ${BEFORE} else ${AFTER} end
returning t.refused`;

/** Counts one more try by whom `of` names, wherever it is made; refuses when there were too many. */
export const countTry = async (
  { executor, secrets, clock }: Pick<Services, 'executor' | 'secrets' | 'clock'>,
  of: string,
  { atOnce, everySeconds }: TryAllowance,
): Promise<void> => {
  const values = [secrets.hash(`sign-in ${of}`), clock.now(), everySeconds, atOnce * everySeconds];
  const { rows } = await executor.query<{ refused: boolean }>({ name: 'try_sign_in', text: TRY, values });
  if (rows[0]!.refused)
    throw new DomainError('too_many_requests', 'Too many requests', { retryAfterSeconds: everySeconds });
};

/** Whose tries count no more is as if it had never tried. */
export const removeForgottenTries = async (executor: Executor, now: Date): Promise<void> => {
  const text = 'delete from sign_in_tries where forgotten_at <= $1';
  await executor.query({ name: 'remove_forgotten_tries', text, values: [now] });
};
