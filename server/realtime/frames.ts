import { type FrameError, PROTOCOL_VERSION, type Push, RequestFrame } from '#contracts/chat/frames.ts';
import { DomainError } from '#server/domain/errors.ts';
import { parseStrictJson } from '#server/http/strict-json.ts';
import { toDomainError } from '#server/http/to-domain-error.ts';
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

/** Accepts frames of this version and those without a version. */
export const assertVersion = ({ version }: RequestFrame): void => {
  if (version && version !== PROTOCOL_VERSION) throw new DomainError('unsupported_version', 'Unsupported version');
};

const write = (frame: object): Buffer => Buffer.from(JSON.stringify(frame));

type Request = Pick<RequestFrame, 'action' | 'request_id'>;

/** The name of a request that could not be parsed. */
export const UNREADABLE: Request = { action: '' };

/** The name of a frame even if the rest is invalid, since its sender waits for an answer with that name. */
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

/** This error exists only for sockets, so it is not a domain error. */
export const writeTooManyPending = (request: Request): Buffer =>
  writeResponse(request, false, {
    error: { type: 'pending_requests_limit_reached', message: 'Pending requests limit reached' },
  } satisfies FrameError);

/** The request id is included only for the socket that caused the event. */
export const writePush = ({ action, payload }: Push, requestId?: RequestFrame['request_id']): Buffer =>
  write({
    version: PROTOCOL_VERSION,
    ...(requestId == null ? {} : { request_id: requestId }),
    action,
    type: 'push',
    payload,
  });
