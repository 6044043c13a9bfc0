import { DomainError, invalid } from '../../errors.ts';

interface Account {
  accountId: string;
  card: string;
}

export type SettledCharge = { status: 'succeeded' } | { status: 'declined'; reason: string };

/** What is needed of whoever takes money from cards. */
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

/** A token that is refused is the caller's mistake; a provider that is away is nobody's. */
export const translateFailure = (error: unknown): never => {
  if (error instanceof Error && error.name === 'TokenRefused') throw invalid('token', `is refused: ${error.message}`);
  throw new DomainError(
    'unavailable',
    'The payment provider does not answer',
    { retryAfterSeconds: 60 },
    { cause: error },
  );
};
