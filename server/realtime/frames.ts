import { type FrameError, PROTOCOL_VERSION, type Push, RequestFrame } from '#contracts/chat/frames.ts';
import { DomainError } from '#server/domain/errors.ts';
import { toDomainError } from '#server/http/failures.ts';
import { parseStrictJson } from '#server/http/strict-json.ts';
import { compileBody } from '#server/http/validation.ts';
import { writeChatError } from '#server/surfaces/chat-v3/chat-errors.ts';

const checkRequest = compileBody(RequestFrame);

export const assertRequest: (frame: unknown) => asserts frame is RequestFrame = (frame) => {
  try {
    checkRequest(frame);
  } catch (error) {
    throw toDomainError(error);
  }
};

export const parseFrame = parseStrictJson;

/** Frames of our own version are served, and those that name none. */
export const assertVersion = ({ version }: RequestFrame): void => {
  if (version && version !== PROTOCOL_VERSION) throw new DomainError('unsupported_version', 'Unsupported version');
};

const write = (frame: object): Buffer => Buffer.from(JSON.stringify(frame));

type Request = Pick<RequestFrame, 'action' | 'request_id'>;

/** A request that could not be read has no name. */
export const UNREADABLE: Request = { action: '' };

/** What a frame calls itself, even if the rest of it is wrong: whoever sent it waits for an answer by that name. */
export const nameOf = (frame: unknown): Request => {
  const { action, request_id } = (frame ?? {}) as { action?: unknown; request_id?: unknown };
  return {
    action: typeof action === 'string' ? action : '',
    ...(typeof request_id === 'string' ? { request_id } : {}),
  };
};

const writeResponse = ({ action, request_id }: Request, success: boolean, payload: unknown): Buffer =>
  write({ ...(request_id == null ? {} : { request_id }), action, type: 'response', success, payload });

export const writeSuccess = (request: Request, payload: unknown): Buffer => writeResponse(request, true, payload ?? {});

export const writeFailure = (request: Request, error: DomainError): Buffer =>
  writeResponse(request, false, writeChatError(error).body);

/** Only sockets have this refusal, so the domain does not know it. */
export const writeTooManyPending = (request: Request): Buffer =>
  writeResponse(request, false, {
    error: { type: 'pending_requests_limit_reached', message: 'Pending requests limit reached' },
  } satisfies FrameError);

/** Only whoever asked for what happened is told the request. */
export const writePush = ({ action, payload }: Push, requestId?: RequestFrame['request_id']): Buffer =>
  write({
    version: PROTOCOL_VERSION,
    ...(requestId == null ? {} : { request_id: requestId }),
    action,
    type: 'push',
    payload,
  });
