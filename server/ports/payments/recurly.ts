import { createHash, randomUUID } from 'node:crypto';
import { type Account, type ChargeOutcome, type Payments, TokenRejectedError, UnavailableError } from './payments.ts';

export interface RecurlyOptions {
  apiKey: string;
  /** Defaults to the provider's URL. */
  url?: string | undefined;
  timeoutMs?: number;
}

const DEFAULT_URL = 'https://v3.recurly.com';
const ACCEPT = 'application/vnd.recurly.v2021-02-25+json';
const TIMEOUT_MS = 20_000;
/** Retries use the same key, which charges only once. */
const TRIES = 3;
/** The card was declined or the account does not exist, so retrying is useless. */
const PERMANENT_FAILURES = new Set([400, 404, 422]);

/** Invoices that will not be paid. */
const UNPAID = new Set(['failed', 'voided']);

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

/** The HTTP API of Recurly, version 2021-02-25. It only stores cards; amounts and due dates are ours. */
export const createRecurly = ({ apiKey, url = DEFAULT_URL, timeoutMs = TIMEOUT_MS }: RecurlyOptions): Payments => {
  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;

  const request = async (method: string, path: string, body?: object, key?: string): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...{ authorization, accept: ACCEPT },
        ...(key === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': key }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };

  const send = async (method: string, path: string, body?: object, key?: string): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      const answer = await request(method, path, body, key).catch((cause: unknown) => ({
        status: 0,
        body: undefined,
        cause,
      }));
      const isBusy = answer.status === 0 || answer.status === 429 || answer.status >= 500;
      if (!isBusy) return answer;
      if (tries === TRIES) throw new UnavailableError(`The payment provider answered ${answer.status || 'nothing'}`);
      await pause(100 * 2 ** tries);
    }
  };

  const read = async (path: string): Promise<Answer['body']> => {
    const answer = await send('GET', path);
    if (answer.status === 200) return answer.body;
    if (answer.status === 404) return undefined;
    throw new UnavailableError(`The payment provider answered ${answer.status}: ${messageOf(answer)}`);
  };

  /** The newest come first, and an account has few. The line of a refund may carry the code of the refunded charge. */
  const findLineItem = async (accountId: string, key: string): Promise<{ invoice_id?: string | null } | undefined> => {
    const page = await read(
      `/accounts/${encodeURIComponent(accountId)}/line_items?limit=200&order=desc&sort=created_at`,
    );
    return page?.data.find(
      (item: { type?: string; product_code?: string }) => item.type === 'charge' && item.product_code === key,
    );
  };

  /** The same token is the same request. */
  const keyOf = (token: string): string => createHash('sha256').update(token).digest('hex');

  return {
    provider: 'recurly',
    openAccount: async (token): Promise<Account> => {
      const code = randomUUID();
      const answer = await send('POST', '/accounts', { code, billing_info: { token_id: token } }, keyOf(token));
      if (answer.status !== 201 && answer.status !== 200) throw new TokenRejectedError(messageOf(answer));
      return { accountId: answer.body.id, card: labelOf(answer.body.billing_info?.payment_method) };
    },
    changeCard: async (accountId, token): Promise<Account> => {
      const path = `/accounts/${encodeURIComponent(accountId)}/billing_info`;
      const answer = await send('PUT', path, { token_id: token }, keyOf(token));
      if (answer.status !== 200) throw new TokenRejectedError(messageOf(answer));
      return { accountId, card: labelOf(answer.body.payment_method) };
    },
    charge: async ({ accountId, amountCents, currency, idempotencyKey, description }): Promise<ChargeOutcome> => {
      const purchase = {
        currency,
        collection_method: 'automatic',
        account: { id: accountId },
        // Charges are found by product code after the idempotency key expired.
        line_items: [
          {
            type: 'charge',
            currency,
            unit_amount: amountCents / 100,
            quantity: 1,
            description,
            product_code: idempotencyKey,
          },
        ],
      };
      const answer = await send('POST', '/purchases', purchase, idempotencyKey);
      if (answer.status === 201 || answer.status === 200) return { status: 'succeeded' };
      if (PERMANENT_FAILURES.has(answer.status)) return { status: 'declined', reason: messageOf(answer) };
      throw new UnavailableError(`The payment provider answered ${answer.status}: ${messageOf(answer)}`);
    },
    findCharge: async ({ accountId, idempotencyKey }): Promise<ChargeOutcome | undefined> => {
      const item = await findLineItem(accountId, idempotencyKey);
      if (!item) return undefined;
      const invoice = item.invoice_id ? await read(`/invoices/${encodeURIComponent(item.invoice_id)}`) : undefined;
      if (invoice?.state === 'paid') return { status: 'succeeded' };
      if (UNPAID.has(invoice?.state))
        return { status: 'declined', reason: 'The charge failed at the payment provider' };
      throw new UnavailableError(`The payment provider says that the charge is ${invoice?.state ?? 'on no invoice'}`);
    },
  };
};
