import type { FastifyInstance, FastifyRequest } from 'fastify';
import { getPendingMessages } from '#contracts/chat-ops/visitor-chat.ts';
import { DomainError } from '#server/domain/errors.ts';
import { parseForm } from '#server/http/forms.ts';
import { decodeUtf8, parseStrictJson } from '#server/http/strict-json.ts';

const MAX_BYTES = 64 * 1024;

const readRaw = async ({ raw }: FastifyRequest): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of raw) {
    size += (part as Buffer).length;
    if (size > MAX_BYTES) throw new DomainError('too_large', 'The body is too large');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

/** A known client sends the parameters of a GET request in its body. The URL takes precedence. */
export const acceptGetBodies = (app: FastifyInstance): void => {
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'GET' || request.routeOptions.config.operation !== getPendingMessages || !hasBody(request))
      return;
    const text = decodeUtf8(await readRaw(request));
    const isJson = (request.headers['content-type'] ?? '').startsWith('application/json');
    const body = text === '' ? {} : isJson ? parseStrictJson(text) : parseForm(text);
    request.query = { ...(body as object), ...(request.query as object) };
  });
};
