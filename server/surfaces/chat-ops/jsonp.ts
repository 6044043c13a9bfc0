import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CALLBACK_PATTERN } from '#contracts/chat-ops/values.ts';
import { EMBEDDABLE } from '#server/http/security-headers.ts';

const NAME = new RegExp(CALLBACK_PATTERN);

const callbackOf = ({ method, query }: FastifyRequest): string | undefined => {
  const { callback } = query as Record<string, unknown>;
  return (method === 'GET' || method === 'HEAD') && typeof callback === 'string' && NAME.test(callback)
    ? callback
    : undefined;
};

/** Older JavaScript engines end a line at these characters inside a string. */
const escapeLineEnds = (json: string): string => json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/**
 * Wraps every GET response, including errors. The leading comment prevents the caller from choosing the first bytes.
 */
export const answerJsonp = (app: FastifyInstance): void => {
  app.addHook('onSend', async (request, reply, payload) => {
    const callback = callbackOf(request);
    if (callback === undefined || typeof payload !== 'string') return payload;
    reply.headers(EMBEDDABLE).type('application/javascript; charset=utf-8');
    return `/**/${callback}(${escapeLineEnds(payload)});`;
  });
};
