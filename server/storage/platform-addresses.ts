import type { Executor } from './executor.ts';
import { PLATFORM_MARK } from './guard.ts';

/** The owner of a mailed confirmation, found by the unique hash of its secret. */
export const findConfirmationOwner = async (executor: Executor, id: Buffer): Promise<string | undefined> => {
  const text = `${PLATFORM_MARK} select c.owner_id as "ownerId" from address_confirmations c where c.id = $1`;
  const { rows } = await executor.query<{ ownerId: string }>({ name: 'find_confirmation', text, values: [id] });
  return rows[0]?.ownerId;
};

export interface ConfirmationLimits {
  address: string;
  ownerId: string;
  since: Date;
  perAddress: number;
  perOwner: number;
}

/** The times of those recent emails that must be older before another one may be sent. */
export const findBlockingConfirmations = async (
  executor: Executor,
  { address, ownerId, since, perAddress, perOwner }: ConfirmationLimits,
): Promise<Date[]> => {
  const { rows } = await executor.query<{ createdAt: Date }>({
    name: 'find_blocking_confirmations',
    text: `${PLATFORM_MARK}
      (select c.created_at as "createdAt" from address_confirmations c
       where lower(c.address) = lower($1) and c.created_at > $3 order by c.created_at desc offset $4 limit 1)
      union all
      (select c.created_at from address_confirmations c
       where c.owner_id = $2 and c.created_at > $3 order by c.created_at desc offset $5 limit 1)`,
    values: [address, ownerId, since, perAddress - 1, perOwner - 1],
  });
  return rows.map(({ createdAt }) => createdAt);
};

export interface UnconfirmedAccount {
  kind: 'agent' | 'partner';
  ownerId: string;
  subjectId: string;
}

/** Accounts with this login whose address is unconfirmed, the newest first. */
export const findUnconfirmedAccounts = async (
  executor: Executor,
  login: string,
  limit: number,
): Promise<UnconfirmedAccount[]> => {
  const { rows } = await executor.query<UnconfirmedAccount>({
    name: 'find_unconfirmed_accounts',
    text: `${PLATFORM_MARK}
      select kind, owner_id as "ownerId", subject_id as "subjectId" from (
        select 'agent' as kind, a.organization_id::text as owner_id, a.id as subject_id, a.created_at from agents a
        where a.id = $1 and a.deleted_at is null and a.password_hash is not null and a.address_confirmed_at is null
        union all
        select 'partner', p.id::text, '', p.created_at from partners p
        where lower(p.login) = $1 and p.address_confirmed_at is null) accounts
      order by created_at desc limit $2`,
    values: [login, limit],
  });
  return rows;
};
