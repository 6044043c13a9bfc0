import type { FastifyBaseLogger } from 'fastify';
import type { RequestFrame } from '#contracts/chat/frames.ts';
import { DomainError } from '#server/domain/errors.ts';
import { toDomainError } from '#server/http/failures.ts';
import type { PreparedAction } from './actions.ts';
import type { Endpoint } from './endpoint.ts';
import { assertVersion, readRequest, UNREADABLE, writeFailure, writeSuccess, writeTooManyPending } from './frames.ts';
import { releaseHeld, type Session, sendFrame } from './session.ts';
import { createTurns } from './turns.ts';

const MOST_PENDING = 10;
/** After a restart everybody logs in at once; those who are in already must not wait behind them. */
const LOGINS_AT_ONCE = 4;

type Request = Pick<RequestFrame, 'action' | 'request_id'>;
type Run = () => Promise<unknown>;

/** Answers the requests of one endpoint's sockets. */
export const createRequests = <I, S>(
  endpoint: Endpoint<I, S>,
  actions: Map<string, PreparedAction<S>>,
  log: FastifyBaseLogger,
) => {
  const inTurn = createTurns(LOGINS_AT_ONCE);

  const refuse = (session: Session<I>, request: Request, thrown: unknown): void => {
    const error = toDomainError(thrown);
    if (error.code === 'internal') log.error({ err: error.cause ?? error, action: request.action }, 'request failed');
    sendFrame(session, writeFailure(request, error));
  };

  const answer = async (session: Session<I>, request: Request, run: Run): Promise<void> => {
    try {
      sendFrame(session, writeSuccess(request, await run()));
    } catch (error) {
      refuse(session, request, error);
    }
    if (--session.pending === 0) session.turn = undefined;
  };

  const logIn = async (session: Session<I>, request: RequestFrame): Promise<unknown> => {
    assertVersion(request);
    if (session.identity) throw new DomainError('validation', 'This socket is logged in already');
    const identity = await endpoint.identify(session, request.payload ?? {});
    if (session.socket.readyState !== session.socket.OPEN) throw new DomainError('unavailable', 'The socket is gone');
    // Pushes begin before the answer is read and wait for it: nothing is lost between what it says and what follows.
    session.held = [];
    session.identity = identity;
    endpoint.join(session);
    try {
      return await inTurn(() => endpoint.welcome(identity));
    } catch (error) {
      endpoint.leave(session);
      session.identity = undefined;
      session.held = undefined;
      throw error;
    }
  };

  const prepare = async (session: Session<I>, request: RequestFrame): Promise<Run> => {
    assertVersion(request);
    if (!session.identity) throw new DomainError('authentication', 'Authentication error');
    const action = actions.get(request.action);
    if (!action) throw new DomainError('validation', 'There is no such action');
    const scope = await endpoint.enter(session, action.operation);
    return () => action.run(scope, request.payload ?? {});
  };

  /** The next request begins when this one has begun, so that messages keep their order; its end may come later. */
  const take = async (session: Session<I>, request: RequestFrame): Promise<void> => {
    if (request.action === 'login') {
      await answer(session, request, () => logIn(session, request));
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
    else if (session.pending >= MOST_PENDING) sendFrame(session, writeTooManyPending(request));
    else {
      session.pending++;
      session.turn = (session.turn ?? Promise.resolve()).then(() => take(session, request));
    }
  };

  return (session: Session<I>, text: string): void => {
    try {
      receive(session, readRequest(text));
    } catch (error) {
      refuse(session, UNREADABLE, error);
    }
  };
};
