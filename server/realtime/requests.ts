import type { FastifyBaseLogger } from 'fastify';
import type { RequestFrame } from '#contracts/chat/frames.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { Cause } from '#server/domain/events.ts';
import { toDomainError } from '#server/http/to-domain-error.ts';
import type { PreparedAction } from './actions.ts';
import { createLimiter } from './create-limiter.ts';
import type { Endpoint } from './endpoint.ts';
import {
  assertRequest,
  assertVersion,
  nameOf,
  parseFrame,
  UNREADABLE,
  writeFailure,
  writeSuccess,
  writeTooManyPending,
} from './frames.ts';
import { releaseHeldPushes, type Session, sendFrame } from './session.ts';

const MAX_PENDING = 10;
/** After a restart all clients log in at the same time; other requests must not wait for them. */
const MAX_CONCURRENT_LOGINS = 4;

type Request = Pick<RequestFrame, 'action' | 'request_id'>;
interface Run {
  (): Promise<unknown>;
  /** Runs after the answer is written. */
  after?: () => void;
}

const causeOf = ({ id }: Session, { request_id }: RequestFrame): Cause | undefined =>
  request_id == null ? undefined : { connectionId: id, requestId: request_id };

const expectAnswer = (session: Session, { request_id }: Request): void => {
  session.pending++;
  if (request_id == null) return;
  session.unanswered ??= new Set();
  session.unanswered.add(request_id);
};

/** Idle sockets keep no request state. */
const forgetRequest = (session: Session, { request_id }: Request): void => {
  session.unanswered?.delete(request_id);
  if (--session.pending > 0) return;
  session.lastRequest = undefined;
  session.unanswered = undefined;
};

/** Handles the requests of an endpoint's sockets. */
export const createRequests = <I, S>(
  endpoint: Endpoint<I, S>,
  actions: Map<string, PreparedAction<I, S>>,
  log: FastifyBaseLogger,
) => {
  const limit = createLimiter(MAX_CONCURRENT_LOGINS);

  const refuse = (session: Session<I>, request: Request, thrown: unknown): void => {
    const error = toDomainError(thrown);
    if (error.code === 'internal') log.error({ err: error.cause ?? error, action: request.action }, 'request failed');
    sendFrame(session, writeFailure(request, error));
  };

  const answer = async (session: Session<I>, request: Request, run: Run): Promise<void> => {
    try {
      sendFrame(session, writeSuccess(request, await run()));
      run.after?.();
    } catch (error) {
      refuse(session, request, error);
    }
    forgetRequest(session, request);
    releaseHeldPushes(session);
  };

  const logIn = async (session: Session<I>, request: RequestFrame): Promise<unknown> => {
    assertVersion(request);
    if (session.identity) throw new DomainError('validation', 'This socket is already logged in');
    const identity = await endpoint.identify(session, request.payload ?? {});
    if (session.socket.readyState !== session.socket.OPEN) throw new DomainError('unavailable', 'The socket is closed');
    // Pushes start before the answer is built and are held until it is sent, so that no event is lost in between.
    session.isLoggingIn = true;
    session.identity = identity;
    endpoint.join(session);
    try {
      return await limit(() => endpoint.completeLogin(session, request.payload ?? {}));
    } catch (error) {
      endpoint.leave(session);
      session.identity = undefined;
      session.heldPushes = undefined;
      session.isLoggingIn = false;
      throw error;
    }
  };

  const prepare = async (session: Session<I>, request: RequestFrame): Promise<Run> => {
    assertVersion(request);
    if (!session.identity) throw new DomainError('authentication', 'Authentication error');
    const action = actions.get(request.action);
    if (!action) throw new DomainError('validation', 'Unknown action');
    const scope = await endpoint.enter(session, action.operation, causeOf(session, request));
    return Object.assign(() => action.run(session, scope, request.payload ?? {}), {
      after: () => action.after?.(session),
    });
  };

  /**
   * A request starts after the previous one has started, so that messages keep their order; they may finish in any
   * order.
   */
  const take = async (session: Session<I>, request: RequestFrame): Promise<void> => {
    if (request.action === 'login') {
      await answer(session, request, () => logIn(session, request));
      session.isLoggingIn = false;
      releaseHeldPushes(session);
    } else {
      const run = await prepare(session, request).catch(
        (error): Run =>
          () =>
            Promise.reject(error),
      );
      void answer(session, request, run);
    }
  };

  const receive = (session: Session<I>, request: RequestFrame): void => {
    if (request.action === 'ping') sendFrame(session, writeSuccess(request, {}));
    else if (session.pending >= MAX_PENDING) sendFrame(session, writeTooManyPending(request));
    else {
      expectAnswer(session, request);
      session.lastRequest = (session.lastRequest ?? Promise.resolve()).then(() => take(session, request));
    }
  };

  return (session: Session<I>, text: string): void => {
    let name = UNREADABLE;
    try {
      const frame = parseFrame(text);
      name = nameOf(frame);
      assertRequest(frame);
      receive(session, frame);
    } catch (error) {
      refuse(session, name, error);
    }
  };
};
