import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { BillingCycle } from './ledger.ts';
import type { Plan } from './organizations.ts';

type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

export interface ResellerLicensesTable {
  partnerId: number;
  organizationId: string;
  clientName: string;
  clientEmail: string;
  purchaseOrder: Generated<string>;
}

/** `closing` ends with the current period; for `past_due` the charge is retried. */
export type SubscriptionStatus = 'active' | 'past_due' | 'closing' | 'closed';

export interface SubscriptionsTable {
  partnerId: number;
  organizationId: string;
  accountId: string;
  card: string;
  plan: Plan;
  billingCycle: BillingCycle;
  seats: number;
  status: SubscriptionStatus;
  periodStartsAt: Date;
  periodEndsAt: Date;
  periodCents: number;
  periodSavedCents: number;
  creditCents: Generated<number>;
  failedCharges: Generated<number>;
  /** Null if there are no further attempts. */
  nextChargeAt: Optional<Date>;
  createdAt: Date;
}

export interface InvoiceLine {
  text: string;
  cents: number;
}

/** The terms of the subscription after the charge succeeds. Dates are ISO strings, because this is stored as JSON. */
export interface ChargeTerms {
  accountId: string;
  card: string;
  plan: Plan;
  billingCycle: BillingCycle;
  seats: number;
  periodStartsAt: string;
  periodEndsAt: string;
  periodCents: number;
  periodSavedCents: number;
  /** The reseller's discount on this charge; negative for a credit. */
  savedCents: number;
  creditCents: number;
  lines: InvoiceLine[];
}

export interface ChargesTable {
  partnerId: number;
  organizationId: string;
  id: string;
  purpose: 'start' | 'change' | 'renewal';
  amountCents: number;
  terms: JSONColumnType<ChargeTerms>;
  status: Generated<'open' | 'succeeded' | 'declined'>;
  reason: Optional<string>;
  createdAt: Date;
  settledAt: Optional<Date>;
}

export interface InvoicesTable {
  organizationId: string;
  invoiceNo: number;
  paymentExternalId: string;
  issuedAt: Date;
  plan: string;
  billingCycle: string;
  seats: number;
  lines: JSONColumnType<InvoiceLine[]>;
  amountCents: number;
}

export interface SandboxCardsTable {
  token: string;
  label: string;
  behavior: string;
  accountId: Optional<string>;
  createdAt: Date;
}

export interface SandboxChargesTable {
  idempotencyKey: string;
  accountId: string;
  amountCents: number;
  declined: Optional<string>;
  chargedAt: Date;
}
