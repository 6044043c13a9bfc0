import type { FastifyBaseLogger } from 'fastify';
import type { RequestFrame } from '#contracts/chat/frames.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { Cause } from '#server/domain/events.ts';
import { toDomainError } from '#server/http/failures.ts';
import type { PreparedAction } from './actions.ts';
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
import { releaseHeld, type Session, sendFrame } from './session.ts';
import { createTurns } from './turns.ts';

const MAX_PENDING = 10;
/** After a restart everybody logs in at once; those who are in already must not wait behind them. */
const MAX_CONCURRENT_LOGINS = 4;

type Request = Pick<RequestFrame, 'action' | 'request_id'>;
interface Run {
  (): Promise<unknown>;
  /** When the answer is written. */
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

/** An idle socket keeps nothing of its requests. */
const forgetRequest = (session: Session, { request_id }: Request): void => {
  session.unanswered?.delete(request_id);
  if (--session.pending > 0) return;
  session.turn = undefined;
  session.unanswered = undefined;
};

/** Answers the requests of one endpoint's sockets. */
export const createRequests = <I, S>(
  endpoint: Endpoint<I, S>,
  actions: Map<string, PreparedAction<I, S>>,
  log: FastifyBaseLogger,
) => {
  const inTurn = createTurns(MAX_CONCURRENT_LOGINS);

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
    releaseHeld(session);
  };

  const logIn = async (session: Session<I>, request: RequestFrame): Promise<unknown> => {
    assertVersion(request);
    if (session.identity) throw new DomainError('validation', 'This socket is logged in already');
    const identity = await endpoint.identify(session, request.payload ?? {});
    if (session.socket.readyState !== session.socket.OPEN) throw new DomainError('unavailable', 'The socket is gone');
    // Pushes begin before the answer is read and wait for it: nothing is lost between what it says and what follows.
    session.welcoming = true;
    session.identity = identity;
    endpoint.join(session);
    try {
      return await inTurn(() => endpoint.welcome(session, request.payload ?? {}));
    } catch (error) {
      endpoint.leave(session);
      session.identity = undefined;
      session.held = undefined;
      session.welcoming = false;
      throw error;
    }
  };

  const prepare = async (session: Session<I>, request: RequestFrame): Promise<Run> => {
    assertVersion(request);
    if (!session.identity) throw new DomainError('authentication', 'Authentication error');
    const action = actions.get(request.action);
    if (!action) throw new DomainError('validation', 'There is no such action');
    const scope = await endpoint.enter(session, action.operation, causeOf(session, request));
    return Object.assign(() => action.run(session, scope, request.payload ?? {}), {
      after: () => action.after?.(session),
    });
  };

  /** The next request begins when this one has begun, so that messages keep their order; its end may come later. */
  const take = async (session: Session<I>, request: RequestFrame): Promise<void> => {
    if (request.action === 'login') {
      await answer(session, request, () => logIn(session, request));
      session.welcoming = false;
      releaseHeld(session);
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
      session.turn = (session.turn ?? Promise.resolve()).then(() => take(session, request));
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
