/** What people know a card by; its number never comes here. */
export interface Account {
  accountId: string;
  /** `Visa ending in 1111` */
  card: string;
}

export interface Charge {
  accountId: string;
  amountCents: number;
  currency: string;
  /** Asked again with the same key within a day, the provider answers as before and charges nobody twice. */
  idempotencyKey: string;
  description: string;
}

export type ChargeOutcome = { status: 'succeeded' } | { status: 'declined'; reason: string };

/** Whoever takes money from cards. Cards are given to it by browsers, and come to us as tokens. */
export interface Payments {
  readonly provider: string;
  /** Rejects with TokenRefused when the token is none, was used, or its card cannot be kept. */
  openAccount(token: string): Promise<Account>;
  changeCard(accountId: string, token: string): Promise<Account>;
  /** Rejects with PaymentsUnavailable when it is not known whether it happened: ask again with the same key. */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** What came of a charge, also when its key is forgotten; `undefined`: it never happened. Charges nobody. */
  findCharge(charge: Pick<Charge, 'accountId' | 'idempotencyKey'>): Promise<ChargeOutcome | undefined>;
}

export class TokenRefused extends Error {
  override name = 'TokenRefused';
}

export class PaymentsUnavailable extends Error {
  override name = 'PaymentsUnavailable';
}

const refuse = (): Promise<never> => Promise.reject(new PaymentsUnavailable('No payment provider is configured'));

/** Where nobody set one up. */
export const noPayments: Payments = {
  provider: 'none',
  openAccount: refuse,
  changeCard: refuse,
  charge: refuse,
  findCharge: refuse,
};
