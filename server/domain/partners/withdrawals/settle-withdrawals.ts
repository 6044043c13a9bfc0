import { findWithdrawalOwner, listWithdrawalsOfAll } from '#server/storage/platform-money.ts';
import type { WithdrawalStatus } from '#server/storage/tables/ledger.ts';
import { requireOperator } from '../../access.ts';
import { DomainError, notFound } from '../../errors.ts';
import { openPartnerScope, type PlatformScope } from '../../scope.ts';
import { lockLedger } from '../ledger/balances.ts';
import { post } from '../ledger/post.ts';
import type { WithdrawalRecord } from './records.ts';

interface Decision {
  status: 'paid' | 'rejected';
  reason?: string;
}

/** A pending withdrawal is paid or rejected once; a second call throws a conflict. */
const settle = async (scope: PlatformScope, id: number, { status, reason }: Decision): Promise<WithdrawalRecord> => {
  requireOperator(scope.actor);
  const partnerId = await findWithdrawalOwner(scope.executor, id);
  if (partnerId === undefined) throw notFound('Withdrawal');
  return openPartnerScope(scope.services, scope.actor, partnerId).transaction(async (tx) => {
    await lockLedger(tx);
    const actedAt = tx.now();
    const settled = await tx
      .update('withdrawals')
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .set({ status, actedAt, reason: reason ?? null })
      .returningAll()
      .executeTakeFirst();
    if (!settled) throw new DomainError('conflict', 'The withdrawal has already been paid or rejected');
    const { amountCents } = settled;
    await post(tx, {
      kind: status === 'paid' ? 'payout' : 'rejection',
      externalId: `${status === 'paid' ? 'payout' : 'rejection'} ${id}`,
      withdrawalId: id,
      occurredAt: actedAt,
      entries: { pending: -amountCents, [status === 'paid' ? 'withdrawn' : 'available']: amountCents },
    });
    const contact = await tx.db
      .selectFrom('partners')
      .where('id', '=', partnerId)
      .select(['contactName', 'contactEmail'])
      .executeTakeFirstOrThrow();
    tx.emit({ type: 'withdrawal_moved', withdrawal: { ...settled, ...contact } });
    return settled;
  });
};

export const payWithdrawal = (scope: PlatformScope, { id }: { id: number }): Promise<WithdrawalRecord> =>
  settle(scope, id, { status: 'paid' });

/** The amount returns to the available balance. */
export const rejectWithdrawal = (
  scope: PlatformScope,
  { id, reason }: { id: number; reason: string },
): Promise<WithdrawalRecord> => settle(scope, id, { status: 'rejected', reason });

export interface WithdrawalPage {
  withdrawals: WithdrawalRecord[];
  /** The id of the last withdrawal of this page, if there are more. */
  next?: number;
}

/** Withdrawals of all partners, oldest first. */
export const listAllWithdrawals = async (
  scope: PlatformScope,
  { status, after = 0, limit }: { status?: WithdrawalStatus | undefined; after?: number | undefined; limit: number },
): Promise<WithdrawalPage> => {
  requireOperator(scope.actor);
  const found = await listWithdrawalsOfAll(scope.executor, { status, after, limit: limit + 1 });
  const withdrawals = found.slice(0, limit);
  return { withdrawals, ...(found.length > limit ? { next: withdrawals.at(-1)!.id } : {}) };
};
