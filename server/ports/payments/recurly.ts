import { createHash, randomUUID } from 'node:crypto';
import { type Account, type ChargeOutcome, type Payments, PaymentsUnavailable, TokenRefused } from './payments.ts';

export interface RecurlyOptions {
  apiKey: string;
  /** Default: the provider's own. */
  url?: string | undefined;
  timeoutMs?: number;
}

const DEFAULT_URL = 'https://v3.recurly.com';
const ACCEPT = 'application/vnd.recurly.v2021-02-25+json';
const TIMEOUT_MS = 20_000;
/** A provider that is busy or broken is asked again with the same key, which charges nobody twice. */
const TRIES = 3;
/** The card was refused, or the account is gone: to ask the same again would go on for ever. */
const LASTING = new Set([400, 404, 422]);

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what the provider sends is looked at field by field.
  body: any;
}

const labelOf = (paymentMethod: { card_type?: string; last_four?: string } | undefined): string =>
  `${paymentMethod?.card_type ?? 'Card'} ending in ${paymentMethod?.last_four ?? '????'}`;

const messageOf = ({ body }: Answer): string =>
  body?.error?.transaction_error?.message ?? body?.error?.message ?? 'The payment provider refused';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The subscription-billing provider's HTTP API, version 2021-02-25. Only cards are kept there: what is due, we say. */
export const createRecurly = ({ apiKey, url = DEFAULT_URL, timeoutMs = TIMEOUT_MS }: RecurlyOptions): Payments => {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;

  const ask = async (method: string, path: string, body: object, key: string): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, accept: ACCEPT, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };

  const send = async (method: string, path: string, body: object, key: string): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      const answer = await ask(method, path, body, key).catch((cause: unknown) => ({
        status: 0,
        body: undefined,
        cause,
      }));
      const isBusy = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!isBusy) return answer;
      if (tries === TRIES) throw new PaymentsUnavailable(`The payment provider answered ${answer.status || 'nothing'}`);
      await pause(100 * 2 ** tries);
    }
  };

  /** A token says what to do with itself; the same token again is the same request. */
  const keyOf = (token: string): string => createHash('sha256').update(token).digest('hex');

  return {
    provider: 'recurly',
    openAccount: async (token): Promise<Account> => {
      const code = randomUUID();
      const answer = await send('POST', '/accounts', { code, billing_info: { token_id: token } }, keyOf(token));
      if (answer.status !== 201 && answer.status !== 200) throw new TokenRefused(messageOf(answer));
      return { accountId: answer.body.id, card: labelOf(answer.body.billing_info?.payment_method) };
    },
    changeCard: async (accountId, token): Promise<Account> => {
      const path = `/accounts/${encodeURIComponent(accountId)}/billing_info`;
      const answer = await send('PUT', path, { token_id: token }, keyOf(token));
      if (answer.status !== 200) throw new TokenRefused(messageOf(answer));
      return { accountId, card: labelOf(answer.body.payment_method) };
    },
    charge: async ({ accountId, amountCents, currency, idempotencyKey, description }): Promise<ChargeOutcome> => {
      const purchase = {
        currency,
        collection_method: 'automatic',
        account: { id: accountId },
        line_items: [{ type: 'charge', currency, unit_amount: amountCents / 100, quantity: 1, description }],
      };
      const answer = await send('POST', '/purchases', purchase, idempotencyKey);
      if (answer.status === 201 || answer.status === 200) return { status: 'succeeded' };
      if (LASTING.has(answer.status)) return { status: 'declined', reason: messageOf(answer) };
      throw new PaymentsUnavailable(`The payment provider answered ${answer.status}: ${messageOf(answer)}`);
    },
  };
};
