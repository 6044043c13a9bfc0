import { sql } from 'kysely';
import type { Account, TransactionKind } from '#server/storage/tables/ledger.ts';
import type { PaymentRecord } from '../../accounts/payments/find-payment.ts';
import type { RefundRecord } from '../../accounts/payments/refunds.ts';
import { enterPartner, type PartnerScope, type PlatformScope, type Transaction } from '../../scope.ts';
import { lockLedger } from '../ledger/balances.ts';
import { post } from '../ledger/post.ts';
import { proportion } from '../ledger/proportion.ts';

/** A kind of posting that a payment causes, and the posting that reverses it. */
interface Reversible {
  kind: TransactionKind;
  reversal: TransactionKind;
  /** The account on which both are summed. */
  side: Account;
  name: string;
}

const COMMISSION: Reversible = { kind: 'commission', reversal: 'reversal', side: 'commission', name: 'refund' };
const DISCOUNT: Reversible = {
  kind: 'discount',
  reversal: 'discount_reversal',
  side: 'discount',
  name: 'discount_refund',
};

export interface AppliedRefund {
  payment: PaymentRecord;
  refund: RefundRecord;
  /** The sum of all refunds of the payment, this one included. */
  refundedCents: number;
  /** The account that the commissions of the license are in. */
  account: 'available' | 'held';
}

const readPosted = (ledger: PartnerScope, { organizationId, externalId }: PaymentRecord, side: Account) =>
  ledger
    .from('ledgerTransactions')
    .innerJoin('ledgerEntries', (join) =>
      join
        .onRef('ledgerEntries.partnerId', '=', 'ledgerTransactions.partnerId')
        .onRef('ledgerEntries.transactionId', '=', 'ledgerTransactions.id'),
    )
    .where('ledgerTransactions.organizationId', '=', organizationId)
    .where('ledgerTransactions.paymentExternalId', '=', externalId)
    .where('ledgerEntries.account', '=', side)
    .groupBy(['kind', 'program', 'product', 'licenseProduct', 'campaignId', 'percent'])
    .select(['kind', 'program', 'product', 'licenseProduct', 'campaignId', 'percent'])
    .select(sql<number>`sum(ledger_entries.amount_cents)::bigint`.as('cents'))
    .execute();

/**
 * Reverses the refunded share of the posting. The share is computed from all refunds together, so that many small refunds reverse
 * exactly as much as one large refund.
 */
const reverseFor = async (
  ledger: Transaction<PartnerScope>,
  { kind, reversal, side, name }: Reversible,
  { payment, refund, refundedCents, account }: AppliedRefund,
): Promise<void> => {
  const posted = await readPosted(ledger, payment, side);
  const original = posted.find((row) => row.kind === kind);
  if (!original) return;
  const reversed = posted.find((row) => row.kind === reversal)?.cents ?? 0;
  const { cents, kind: _, percent, ...about } = original;
  const due = proportion(-cents, refundedCents, payment.amountCents) - reversed;
  await post(ledger, {
    ...about,
    kind: reversal,
    externalId: `${name} ${refund.externalId}`,
    organizationId: payment.organizationId,
    paymentExternalId: payment.externalId,
    percent: percent === null ? null : Number(percent),
    // A refund reported before its payment cannot have occurred before it.
    occurredAt: new Date(Math.max(+refund.recordedAt, +payment.paidAt)),
    entries: { [side]: due, [side === 'commission' ? account : 'saved']: -due },
  });
};

/** Reverses in the ledger of every partner who earned by the payment. An available balance may become negative: it was withdrawn already. */
export const reverseCommissions = async (tx: Transaction<PlatformScope>, applied: AppliedRefund): Promise<void> => {
  const partnerIds = applied.payment.outcome.map(({ partnerId }) => partnerId).sort((one, other) => one - other);
  for (const partnerId of partnerIds) {
    const ledger = enterPartner(tx, partnerId);
    await lockLedger(ledger);
    await reverseFor(ledger, COMMISSION, applied);
    await reverseFor(ledger, DISCOUNT, applied);
  }
};
