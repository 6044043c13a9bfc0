import { randomBytes } from 'node:crypto';
import {
  type Account,
  type Charge,
  type ChargeOutcome,
  type Payments,
  TokenRejectedError,
  UnavailableError,
} from './payments.ts';
import { type Behavior, type Card, readCard, reasons } from './sandbox-cards.ts';

/** Stores the data of the sandbox, so that it survives restarts. */
export interface SandboxStore {
  query<Row extends object>(query: { text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

export interface Sandbox extends Payments {
  /** Called by the payment page in the browser. The number is not stored. */
  createToken(card: Card): Promise<{ id: string } | { error: string }>;
}

const randomId = (kind: string): string => `${kind}_${randomBytes(16).toString('hex')}`;

interface StoredCard {
  label: string;
  behavior: Behavior;
}

/** Simulates a payment provider for development, tests and demos. */
export const createSandbox = (store: SandboxStore, now: () => Date): Sandbox => {
  /** A token is valid for one account, and an account has one card. */
  const storeCard = async (accountId: string, token: string): Promise<Account> => {
    const { rows } = await store.query<StoredCard>({
      text: 'update sandbox_cards set account_id = $1 where token = $2 and account_id is null returning label',
      values: [accountId, token],
    });
    if (!rows[0]) throw new TokenRejectedError('The token is unknown or has already been used');
    await store.query({
      text: 'delete from sandbox_cards where account_id = $1 and token <> $2',
      values: [accountId, token],
    });
    return { accountId, card: rows[0].label };
  };

  const findBehavior = async (accountId: string): Promise<Behavior> => {
    const { rows } = await store.query<StoredCard>({
      text: 'select behavior from sandbox_cards where account_id = $1',
      values: [accountId],
    });
    if (!rows[0]) throw new UnavailableError('There is no such account');
    return rows[0].behavior;
  };

  const findCharge = async (key: string): Promise<ChargeOutcome | undefined> => {
    const { rows } = await store.query<{ declined: string | null }>({
      text: 'select declined from sandbox_charges where idempotency_key = $1',
      values: [key],
    });
    if (!rows[0]) return undefined;
    const { declined } = rows[0];
    return declined === null ? { status: 'succeeded' } : { status: 'declined', reason: declined };
  };

  const storeCharge = async ({ accountId, amountCents, idempotencyKey }: Charge, declined: string | undefined) => {
    await store.query({
      text: `insert into sandbox_charges (idempotency_key, account_id, amount_cents, declined, charged_at)
        values ($1, $2, $3, $4, $5) on conflict (idempotency_key) do nothing`,
      values: [idempotencyKey, accountId, amountCents, declined ?? null, now()],
    });
    return (await findCharge(idempotencyKey))!;
  };

  return {
    provider: 'sandbox',
    createToken: async (card) => {
      const read = readCard(card, now());
      if ('error' in read) return read;
      const id = randomId('tok');
      await store.query({
        text: 'insert into sandbox_cards (token, label, behavior, created_at) values ($1, $2, $3, $4)',
        values: [id, read.label, read.behavior, now()],
      });
      return { id };
    },
    openAccount: (token) => storeCard(randomId('acct'), token),
    changeCard: storeCard,
    findCharge: ({ idempotencyKey }) => findCharge(idempotencyKey),
    charge: async (charge) => {
      const existing = await findCharge(charge.idempotencyKey);
      if (existing) return existing;
      const behavior = await findBehavior(charge.accountId);
      const outcome = await storeCharge(charge, reasons[behavior]);
      // The charge succeeded, but the first caller does not learn about it.
      if (behavior === 'late') throw new UnavailableError('The provider did not answer in time');
      return outcome;
    },
  };
};
