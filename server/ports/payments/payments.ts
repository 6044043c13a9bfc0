/** How a card is shown to people; its number never reaches this server. */
export interface Account {
  accountId: string;
  /** `Visa ending in 1111` */
  card: string;
}

export interface Charge {
  accountId: string;
  amountCents: number;
  currency: string;
  /** Within a day, the provider returns the same result for the same key and charges only once. */
  idempotencyKey: string;
  description: string;
}

export type ChargeOutcome = { status: 'succeeded' } | { status: 'declined'; reason: string };

/** A payment provider. Browsers send cards directly to it and get tokens. */
export interface Payments {
  readonly provider: string;
  /** Rejects with TokenRejectedError if the token is invalid or used, or its card cannot be stored. */
  openAccount(token: string): Promise<Account>;
  changeCard(accountId: string, token: string): Promise<Account>;
  /** Rejects with UnavailableError if the outcome is unknown: retry with the same key. */
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** The outcome of a charge, even after its key expired; `undefined` if it never happened. Never charges. */
  findCharge(charge: Pick<Charge, 'accountId' | 'idempotencyKey'>): Promise<ChargeOutcome | undefined>;
}

export class TokenRejectedError extends Error {
  override name = 'TokenRejectedError';
}

export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

const refuse = (): Promise<never> => Promise.reject(new UnavailableError('No payment provider is configured'));

/** Used if no provider is configured. */
export const noPayments: Payments = {
  provider: 'none',
  openAccount: refuse,
  changeCard: refuse,
  charge: refuse,
  findCharge: refuse,
};
