import type { FastifyInstance } from 'fastify';

const withoutNulls = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(present.map(([name, item]) => [name, withoutNulls(item)]));
};

/** Clients send null for absent fields. Form coercion would turn it into 0 or an empty text. */
export const dropNulls = (app: FastifyInstance): void => {
  app.addHook('preValidation', async (request) => {
    request.body = withoutNulls(request.body);
  });
};
