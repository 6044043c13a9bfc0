import type { FastifyReply } from 'fastify';

/** What each answer that is given again and again looks like on the wire, once it was sent. */
type Answer = Record<string, unknown>;

const written = new WeakMap<object, Buffer | undefined>();

/** Says of an answer that the same object may be sent again, and that nobody changes it. */
export const sendAgain = <Answer extends object>(answer: Answer): Answer => {
  written.set(answer, undefined);
  return answer;
};

export const isSentAgain = (answer: unknown): answer is object => written.has(answer as object);

/** Most of what such an answer costs is writing it, so it is written the first time. */
export const sendWritten = (reply: FastifyReply, answer: object): FastifyReply => {
  const bytes =
    written.get(answer) ?? Buffer.from(reply.serializeInput(answer as Answer, String(reply.statusCode)) as string);
  written.set(answer, bytes);
  return reply.type('application/json; charset=utf-8').send(bytes);
};
