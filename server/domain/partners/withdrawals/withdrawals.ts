import { requirePartner } from '../../access.ts';
import { nextInvoiceNumber } from '../../accounts/payments/invoice-numbers.ts';
import { DomainError } from '../../errors.ts';
import type { PartnerScope, Transaction } from '../../scope.ts';
import { getProfile } from '../accounts/accounts.ts';
import { findBilling } from '../accounts/billing.ts';
import { lockLedger, readBalances } from '../ledger/balances.ts';
import { post } from '../ledger/post.ts';
import type { WithdrawalRecord } from './records.ts';

const MIN_CENTS = 5000;

/** Numbered within a month over all partners. */
const nextInvoiceId = async (tx: PartnerScope): Promise<string> => {
  const month = tx.now().toISOString().slice(0, 7).replace('-', '/');
  return `${month}/${await nextInvoiceNumber(tx, month)}`;
};

const assertNotBlocked = (blocked: boolean): void => {
  if (blocked) throw new DomainError('forbidden', 'The partner account is blocked');
};

/** Withdraws the whole available balance. The second of two concurrent requests finds nothing left. */
export const requestWithdrawal = (scope: PartnerScope): Promise<WithdrawalRecord> => {
  requirePartner(scope.actor);
  return scope.transaction(async (tx) => {
    await lockLedger(tx);
    const partner = await getProfile(tx);
    assertNotBlocked(partner.blocked);
    const { available } = await readBalances(tx);
    if (available < MIN_CENTS)
      throw new DomainError('insufficient_balance', 'The available balance must be at least $50');
    const billing = await findBilling(tx);
    if (!billing) throw new DomainError('billing_missing', 'Billing details are missing');
    return write(tx, partner, available, billing);
  });
};

const write = async (
  tx: Transaction<PartnerScope>,
  { contactName, contactEmail }: { contactName: string; contactEmail: string },
  amountCents: number,
  billing: { payoutAccount: string },
): Promise<WithdrawalRecord> => {
  const requestedAt = tx.now();
  const withdrawal = await tx
    .insert('withdrawals', {
      amountCents,
      invoiceId: await nextInvoiceId(tx),
      payoutAccount: billing.payoutAccount,
      billing: JSON.stringify(billing),
      requestedAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await post(tx, {
    kind: 'withdrawal',
    externalId: `withdrawal ${withdrawal.id}`,
    withdrawalId: withdrawal.id,
    occurredAt: requestedAt,
    entries: { available: -amountCents, pending: amountCents },
  });
  tx.emit({ type: 'withdrawal_moved', withdrawal: { ...withdrawal, contactName, contactEmail } });
  return withdrawal;
};

export const listWithdrawals = (
  scope: PartnerScope,
  { from, until }: { from?: Date | undefined; until?: Date | undefined },
): Promise<WithdrawalRecord[]> => {
  requirePartner(scope.actor);
  let query = scope.from('withdrawals').selectAll();
  if (from) query = query.where('requestedAt', '>=', from);
  if (until) query = query.where('requestedAt', '<', until);
  return query.orderBy('requestedAt', 'desc').orderBy('id', 'desc').execute();
};
