import { DomainError, invalid } from '../../errors.ts';

interface Account {
  accountId: string;
  card: string;
}

export type SettledCharge = { status: 'succeeded' } | { status: 'declined'; reason: string };

/** The part of the payment provider port that subscriptions need. */
export interface CardPayments {
  openAccount(token: string): Promise<Account>;
  changeCard(accountId: string, token: string): Promise<Account>;
  charge(charge: {
    accountId: string;
    amountCents: number;
    currency: string;
    idempotencyKey: string;
    description: string;
  }): Promise<SettledCharge>;
  findCharge(charge: { accountId: string; idempotencyKey: string }): Promise<SettledCharge | undefined>;
}

/** A rejected token is a validation error; an unreachable provider is a temporary failure. */
export const translateFailure = (error: unknown): never => {
  if (error instanceof Error && error.name === 'TokenRejectedError')
    throw invalid('token', `was rejected: ${error.message}`);
  throw new DomainError(
    'unavailable',
    'The payment provider is unavailable',
    { retryAfterSeconds: 60 },
    { cause: error },
  );
};
