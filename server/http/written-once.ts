import type { FastifyReply } from 'fastify';

/** Answers that are given more than once, with what they are on the wire as soon as they were sent. */
const written = new WeakMap<object, Buffer | undefined>();

/** Says of an answer that the same object will be given again and that nobody changes it. */
export const writeOnce = <Answer extends object>(answer: Answer): Answer => {
  written.set(answer, undefined);
  return answer;
};

export const isWrittenOnce = (answer: unknown): answer is Record<string, unknown> => written.has(answer as object);

/** To write a long answer takes longer than all else that is done for one who was given it before. */
export const sendWritten = (reply: FastifyReply, answer: Record<string, unknown>): FastifyReply => {
  const bytes = written.get(answer) ?? Buffer.from(reply.serializeInput(answer, String(reply.statusCode)) as string);
  written.set(answer, bytes);
  return reply.type('application/json; charset=utf-8').send(bytes);
};
