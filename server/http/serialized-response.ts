import type { FastifyReply } from 'fastify';

/** Serialized bytes of responses that are sent more than once. */
const written = new WeakMap<object, Buffer | undefined>();

/** Marks a response object as immutable and likely to be sent again. */
export const markCacheable = <Answer extends object>(answer: Answer): Answer => {
  written.set(answer, undefined);
  return answer;
};

export const isCacheable = (answer: unknown): answer is Record<string, unknown> => written.has(answer as object);

/** Serializing a long response costs more than everything else about a cached response. */
export const sendSerialized = (reply: FastifyReply, answer: Record<string, unknown>): FastifyReply => {
  const bytes = written.get(answer) ?? Buffer.from(reply.serializeInput(answer, String(reply.statusCode)) as string);
  written.set(answer, bytes);
  return reply.type('application/json; charset=utf-8').send(bytes);
};
