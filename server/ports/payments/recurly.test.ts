import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Payments, TokenRejectedError, UnavailableError } from './payments.ts';
import { createRecurly } from './recurly.ts';

interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** Answers in the format of the provider, in the given order; `hang` does not answer. */
type Answer = { status: number; body: object } | 'hang';
let answers: Answer[] = [];
let requests: RecordedRequest[] = [];
const server = createServer(async (request, response) => {
  requests.push({
    method: request.method!,
    url: request.url!,
    headers: request.headers,
    body: JSON.parse((await text(request)) || '{}'),
  });
  const answer = answers.shift() ?? 'hang';
  if (answer === 'hang') return;
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
});

let payments: Payments;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  payments = createRecurly({ apiKey: 'a-key', url: `http://127.0.0.1:${port}`, timeoutMs: 3_000 });
});
beforeEach(() => {
  answers = [];
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const account = {
  object: 'account',
  id: 'e28zov4fw0v2',
  code: 'a-code',
  billing_info: {
    object: 'billing_info',
    payment_method: { object: 'credit_card', card_type: 'Visa', last_four: '1111' },
  },
};
const paid = {
  status: 201,
  body: {
    object: 'invoice_collection',
    charge_invoice: { object: 'invoice', id: 'i1', number: '1001', state: 'paid' },
  },
};
const declined = {
  status: 422,
  body: {
    error: {
      type: 'transaction',
      message: 'The transaction was declined.',
      transaction_error: {
        object: 'transaction_error',
        category: 'soft',
        code: 'insufficient_funds',
        message: 'Your card has insufficient funds.',
      },
    },
  },
};
const errorResponse = (status: number) => ({
  status,
  body: { error: { type: 'internal_server_error', message: 'Oops' } },
});

const charge = () =>
  payments.charge({
    accountId: 'e28zov4fw0v2',
    amountCents: 11_760,
    currency: 'USD',
    idempotencyKey: 'k1',
    description: 'Team, 3 seats',
  });

describe('the provider', () => {
  it('stores a card in an account', async () => {
    answers = [{ status: 201, body: account }];
    expect(await payments.openAccount('tok')).toEqual({ accountId: 'e28zov4fw0v2', card: 'Visa ending in 1111' });
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/accounts',
        body: { billing_info: { token_id: 'tok' } },
        headers: {
          authorization: `Basic ${Buffer.from('a-key:').toString('base64')}`,
          accept: 'application/vnd.recurly.v2021-02-25+json',
        },
      },
    ]);
  });

  it('changes the card of an account', async () => {
    answers = [
      {
        status: 200,
        body: { ...account.billing_info, payment_method: { card_type: 'MasterCard', last_four: '4444' } },
      },
    ];
    expect(await payments.changeCard('a/b', 'tok')).toEqual({ accountId: 'a/b', card: 'MasterCard ending in 4444' });
    expect(requests).toMatchObject([{ method: 'PUT', url: '/accounts/a%2Fb/billing_info', body: { token_id: 'tok' } }]);
  });

  it('rejects an invalid token', async () => {
    const body = {
      error: { type: 'validation', message: 'Token is invalid', params: [{ param: 'billing_info.token_id' }] },
    };
    answers = [{ status: 422, body }];
    await expect(payments.openAccount('tok')).rejects.toThrow(new TokenRejectedError('Token is invalid'));
  });

  it('charges an account', async () => {
    answers = [paid];
    expect(await charge()).toEqual({ status: 'succeeded' });
    expect(requests).toMatchObject([
      {
        url: '/purchases',
        headers: { 'idempotency-key': 'k1' },
        body: {
          currency: 'USD',
          collection_method: 'automatic',
          account: { id: 'e28zov4fw0v2' },
          line_items: [
            { type: 'charge', unit_amount: 117.6, currency: 'USD', description: 'Team, 3 seats', product_code: 'k1' },
          ],
        },
      },
    ]);
  });

  it.each([400, 404])('treats %i as a permanent error', async (status) => {
    answers = [{ status, body: { error: { type: 'not_found', message: 'Couldn’t find Account' } } }];
    expect(await charge()).toEqual({ status: 'declined', reason: 'Couldn’t find Account' });
  });

  it('returns why a card was declined', async () => {
    answers = [declined];
    expect(await charge()).toEqual({ status: 'declined', reason: 'Your card has insufficient funds.' });
  });

  it.each<[string, Answer[]]>([
    ['is rate limited', [errorResponse(429), paid]],
    ['fails with an internal error', [errorResponse(500), errorResponse(503), paid]],
    ['does not answer', ['hang', paid]],
  ])('retries with the same key when the provider %s', async (_, input) => {
    answers = [...input];
    expect(await charge()).toEqual({ status: 'succeeded' });
    expect(new Set(requests.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['k1']));
    expect(requests).toHaveLength(input.length);
  });

  it('reports an unknown outcome if the provider never answers successfully', async () => {
    answers = [errorResponse(500), errorResponse(500), errorResponse(500)];
    await expect(charge()).rejects.toThrow(UnavailableError);
    answers = [{ status: 401, body: { error: { type: 'unauthorized', message: 'No valid API key' } } }];
    await expect(charge()).rejects.toThrow(UnavailableError);
  });
});

describe('a charge of long ago', () => {
  const find = () => payments.findCharge({ accountId: 'e28zov4fw0v2', idempotencyKey: 'k1' });
  const items = (...data: object[]) => ({ status: 200, body: { object: 'list', has_more: false, data } });
  const other = { object: 'line_item', type: 'charge', product_code: 'k0', invoice_id: 'i0' };
  const item = { object: 'line_item', type: 'charge', product_code: 'k1', invoice_id: 'i1' };
  /** A refund is a copy of the charge's line on its own invoice. */
  const refund = { ...item, type: 'credit', invoice_id: 'i2' };
  const invoice = (state: string) => ({ status: 200, body: { object: 'invoice', id: 'i1', state } });

  it.each([
    ['paid', { status: 'succeeded' }],
    ['failed', { status: 'declined', reason: expect.any(String) }],
    ['voided', { status: 'declined', reason: expect.any(String) }],
  ])('is found without charging and is %s', async (state, outcome) => {
    answers = [items(refund, other, item), invoice(state)];
    expect(await find()).toEqual(outcome);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /accounts/e28zov4fw0v2/line_items?limit=200&order=desc&sort=created_at',
      'GET /invoices/i1',
    ]);
    expect(requests.some(({ headers }) => 'idempotency-key' in headers)).toBe(false);
  });

  it.each([[items(other)], [items(refund)], [items()], [{ status: 404, body: { error: { type: 'not_found' } } }]])(
    'never happened if the provider does not know it',
    async (answer) => {
      answers = [answer];
      expect(await find()).toBeUndefined();
    },
  );

  it.each<[Answer[]]>([
    [[items(item), invoice('processing')]],
    [[items({ ...item, invoice_id: null })]],
    [[errorResponse(401)]],
    [[errorResponse(500), errorResponse(500), errorResponse(500)]],
  ])('is unknown while the provider does not answer', async (input) => {
    answers = [...input];
    await expect(find()).rejects.toThrow(UnavailableError);
  });
});
