import type { FastifyInstance } from 'fastify';
import type { Context, Ports } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import type { Sandbox } from '#server/ports/payments/sandbox.ts';

const PER_ADDRESS = { perSecond: 1, burst: 30 };

/** The parameters of a payment provider's tokenization endpoint. */
const REQUIRED = [
  'key',
  'first_name',
  'last_name',
  'number',
  'month',
  'year',
  'verification_value',
  'address1',
  'city',
  'state',
  'zip',
  'country',
] as const;

type Query = Partial<Record<(typeof REQUIRED)[number], unknown>>;

const isSandbox = (payments: Ports['payments']): payments is Sandbox => payments.provider === 'sandbox';

/** Replaces a payment provider's tokenization endpoint. Card data is neither stored nor logged. */
export const addSandboxPayments = (app: FastifyInstance, { ports: { payments }, config }: Context): void => {
  if (!isSandbox(payments)) return;
  const limit = createAddressLimiter(PER_ADDRESS, config.rateLimits);
  app.get<{ Querystring: Query }>('/sandbox/payments/token', { logLevel: 'silent' }, async ({ query, ip }, reply) => {
    limit(ip);
    reply.header('access-control-allow-origin', '*').type('application/json; charset=utf-8');
    const missing = REQUIRED.find((name) => typeof query[name] !== 'string' || query[name].trim() === '');
    const answer = missing
      ? { error: `${missing} is required` }
      : await payments.createToken({
          number: String(query.number),
          month: String(query.month),
          year: String(query.year),
          verificationValue: String(query.verification_value),
        });
    if ('id' in answer) return { id: answer.id };
    reply.code(400);
    return { error: { code: 'invalid-parameter', message: answer.error } };
  });
  app.post('/sandbox/payments/token', async () => {
    throw new DomainError('method_not_allowed', 'Use GET to tokenize a card', { allow: ['GET', 'HEAD'] });
  });
};
