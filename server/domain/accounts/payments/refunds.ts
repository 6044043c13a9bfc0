import { type Selectable, sql } from 'kysely';
import type { RefundsTable } from '#server/storage/tables/ledger.ts';
import { requireOperator } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { PlatformScope, Transaction } from '../../scope.ts';
import { lockLicense } from '../licenses/lock-license.ts';
import { findPayment, type PaymentRecord } from './find-payment.ts';
import { lockPayment } from './locks.ts';

export type RefundRecord = Selectable<RefundsTable>;

export interface NewRefund {
  externalId: string;
  paymentExternalId: string;
  amountCents: number;
  kind?: RefundRecord['kind'] | undefined;
}

/** The sum of the applied refunds. */
const readRefunded = async ({ db }: PlatformScope, { externalId }: PaymentRecord): Promise<number> => {
  const { cents } = await db
    .selectFrom('refunds')
    .where('paymentExternalId', '=', externalId)
    .where('appliedAt', 'is not', null)
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
};

/** Returns undefined if the refund exceeds the amount that is not refunded yet. */
const applyRefund = async (
  tx: Transaction<PlatformScope>,
  payment: PaymentRecord,
  refund: RefundRecord,
): Promise<RefundRecord | undefined> => {
  const { status } = await lockLicense(tx, payment.organizationId);
  const refundedCents = (await readRefunded(tx, payment)) + refund.amountCents;
  if (refundedCents > payment.amountCents) return undefined;
  await tx.emitAccountEvent({ type: 'refund_applied', payment, refund, refundedCents, licenseStatus: status });
  return tx.db
    .updateTable('refunds')
    .where('externalId', '=', refund.externalId)
    .set({ appliedAt: tx.now() })
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Applies refunds that were reported before their payment, oldest first. A refund that is too large keeps waiting. */
export const applyWaitingRefunds = async (tx: Transaction<PlatformScope>, payment: PaymentRecord): Promise<void> => {
  const waiting = await tx.db
    .selectFrom('refunds')
    .where('paymentExternalId', '=', payment.externalId)
    .where('appliedAt', 'is', null)
    .orderBy('recordedAt')
    .orderBy('externalId')
    .selectAll()
    .execute();
  for (const refund of waiting) await applyRefund(tx, payment, refund);
};

const getExisting = async ({ db }: PlatformScope, { kind = 'refund', ...input }: NewRefund): Promise<RefundRecord> => {
  const existing = await db
    .selectFrom('refunds')
    .where('externalId', '=', input.externalId)
    .selectAll()
    .executeTakeFirstOrThrow();
  const isSame =
    existing.paymentExternalId === input.paymentExternalId &&
    existing.amountCents === input.amountCents &&
    existing.kind === kind;
  if (!isSame) throw new DomainError('conflict', 'Another refund already has this `external_id`');
  return existing;
};

/**
 * Records a refund or chargeback; commissions are reversed in proportion. Without `appliedAt` it waits for its payment.
 * Idempotent by `externalId`: a repeated request returns the first refund.
 */
export const recordRefund = async (
  tx: Transaction<PlatformScope>,
  input: NewRefund,
): Promise<{ refund: RefundRecord; isNew: boolean }> => {
  requireOperator(tx.actor);
  await lockPayment(tx, input.paymentExternalId);
  const refund = await tx.db
    .insertInto('refunds')
    .values({ ...input, recordedAt: tx.now() })
    .onConflict((conflict) => conflict.column('externalId').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!refund) return { refund: await getExisting(tx, input), isNew: false };
  const payment = await findPayment(tx, input.paymentExternalId);
  if (!payment) return { refund, isNew: true };
  const applied = await applyRefund(tx, payment, refund);
  if (!applied) throw invalid('amountCents', 'must not exceed the amount that is not refunded yet');
  return { refund: applied, isNew: true };
};
