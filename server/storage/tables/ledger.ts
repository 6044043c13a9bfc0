import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { Plan } from './organizations.ts';
import type { Product } from './products.ts';
import type { Program } from './program.ts';

export type BillingCycle = 'monthly' | 'annual';

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** The kind of rate that was applied, most specific first; `none` if no rate was in effect. */
export type RateRule = 'campaign' | 'partner_product' | 'partner' | 'product' | 'programme' | 'none';

/**
 * The commission of one partner for a payment and its reason, stored so that every commission and every missing one can
 * be explained.
 */
export interface Outcome {
  partnerId: number;
  tier: 1 | 2;
  cents: number;
  percent?: number;
  /** The rule that was applied, or the reason why there is no commission. */
  because: RateRule | 'partner_blocked' | 'own_licence';
  /** The rate that was applied. */
  rateId?: number;
}

export interface PaymentsTable {
  organizationId: string;
  id: GeneratedAlways<number>;
  externalId: string;
  source: 'operator' | 'subscription';
  product: Product;
  amountCents: number;
  currency: string;
  plan: Optional<Plan>;
  billingCycle: Optional<BillingCycle>;
  seats: Optional<number>;
  paidAt: Date;
  recordedAt: Date;
  outcome: JSONColumnType<Outcome[]>;
}

export interface RefundsTable {
  externalId: string;
  paymentExternalId: string;
  amountCents: number;
  kind: Generated<'refund' | 'chargeback'>;
  recordedAt: Date;
  /** Null while the payment is unknown. */
  appliedAt: Optional<Date>;
}

export interface PricesTable {
  plan: Plan;
  billingCycle: BillingCycle;
  seatCents: number;
}

export interface PartnerBillingTable {
  partnerId: number;
  type: 'business' | 'individual';
  company: string;
  vat: Generated<string>;
  address: string;
  city: string;
  state: Generated<string>;
  zipCode: Generated<string>;
  country: string;
  payoutAccount: string;
  updatedAt: Date;
}

export interface InvoiceMonthsTable {
  month: string;
  lastNumber: number;
}

export type WithdrawalStatus = 'pending' | 'paid' | 'rejected';

export interface WithdrawalsTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  amountCents: number;
  status: Generated<WithdrawalStatus>;
  invoiceId: string;
  payoutAccount: string;
  /** A copy from the time of the withdrawal request. */
  billing: JSONColumnType<object>;
  requestedAt: Date;
  actedAt: Optional<Date>;
  reason: Optional<string>;
}

export type TransactionKind =
  | 'commission'
  | 'reversal'
  | 'hold'
  | 'release'
  | 'withdrawal'
  | 'payout'
  | 'rejection'
  | 'discount'
  | 'discount_reversal';

/**
 * `commission` and `discount` are the contra accounts of the program. The partner's accounts are `available`, `held` (of blocked
 * licenses), `pending` (requested), `withdrawn`, and `saved` by a reseller.
 */
export type Account = 'commission' | 'available' | 'held' | 'pending' | 'withdrawn' | 'discount' | 'saved';

export interface LedgerTransactionsTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  kind: TransactionKind;
  externalId: string;
  program: Generated<Program | ''>;
  /** The product under which earnings are listed; `partner_program` for commission from referred partners. */
  product: Generated<Product | 'partner_program' | ''>;
  /** The product of the license. */
  licenseProduct: Generated<Product | ''>;
  campaignId: Optional<number>;
  organizationId: Optional<string>;
  paymentExternalId: Optional<string>;
  withdrawalId: Optional<number>;
  percent: ColumnType<string | null, number | null | undefined, never>;
  /** When the payment, refund or withdrawal took place. */
  occurredAt: Date;
  /** When it was recorded. Statements are closed by this time. */
  recordedAt: Date;
}

export interface LedgerEntriesTable {
  partnerId: number;
  transactionId: number;
  line: number;
  account: Account;
  amountCents: number;
}

export interface LedgerDaysTable {
  partnerId: number;
  day: string;
  account: Account;
  program: Program | '';
  product: Product | 'partner_program' | '';
  licenseProduct: Product | '';
  /** 0 if there is none. */
  campaignId: number;
  amountCents: number;
}

export type LedgerTotalsTable = Pick<LedgerDaysTable, 'partnerId' | 'account' | 'program' | 'product' | 'amountCents'>;

export interface LedgerLicensesTable {
  partnerId: number;
  organizationId: string;
  account: Account;
  amountCents: number;
}

export interface StatementsTable {
  partnerId: number;
  month: string;
  content: string;
  previousHash: Buffer;
  hash: Buffer;
  createdAt: Date;
}
