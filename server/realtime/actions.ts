import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { type Operation, type SocketOperation, successStatus } from '#contracts/operation.ts';
import type { ActionCall } from '#server/http/route.ts';
import { compileBody, compileCoercing, compileResponseCheck } from '#server/http/validation.ts';
import type { Session } from './session.ts';

/** An operation that can be called over a socket. Operations of a surface do not depend on the socket. */
export interface SocketAction<I, S> {
  operation: SocketOperation;
  handle: (call: ActionCall<Operation, S> & { session: Session<I> }) => unknown;
  /** Runs after the answer is written. */
  after?: (session: Session<I>) => void;
}

/** Defines an action that uses its socket. */
export const socketAction =
  <I, S>() =>
  <O extends SocketOperation & { body: TSchema }>(
    operation: O,
    handler: (call: { body: Static<O['body']>; scope: S; session: Session<I> }) => unknown,
    after?: SocketAction<I, S>['after'],
  ): SocketAction<I, S> => ({
    operation,
    handle: handler as unknown as SocketAction<I, S>['handle'],
    ...(after ? { after } : {}),
  });

export interface PreparedAction<I, S> extends Pick<SocketAction<I, S>, 'operation' | 'after'> {
  /** Calls the handler synchronously, so that requests start in order. */
  run(session: Session<I>, scope: S, payload: Payload): Promise<unknown>;
}

type Payload = Record<string, unknown>;

const readBody = (schema: TSchema) => {
  const check = compileBody(schema);
  return (payload: Payload) => {
    check(payload);
    return { query: {}, body: payload as unknown as undefined };
  };
};

/** Query parameters of HTTP are in the payload; the organization is already known, and null means absent. */
const readQuery = (schema: TObject | undefined) => {
  const { organization_id: _, ...properties } = schema?.properties ?? {};
  const check = compileCoercing(
    Type.Object(properties, { required: schema?.required?.filter((name) => name in properties) }),
  );
  return (payload: Payload) => {
    const query = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null));
    if (!check(query)) throw Object.assign(new Error('The request is not valid'), { validation: check.errors });
    return { query, body: undefined };
  };
};

const prepare = <I, S>(action: SocketAction<I, S>, checkAnswers: boolean): PreparedAction<I, S> => {
  const { operation, handle } = action;
  const read = operation.body ? readBody(operation.body) : readQuery(operation.query);
  const schema = operation.responses[successStatus(operation)];
  const contractError = checkAnswers && schema ? compileResponseCheck(schema) : undefined;
  return {
    ...action,
    run: async (session, scope, payload) => {
      const answer = await handle({ params: {}, ...read(payload), scope, session });
      const violation = contractError?.(JSON.parse(JSON.stringify(answer)));
      if (violation) throw new Error(`The response of ${operation.name} violates its contract: ${violation}`);
      return answer;
    },
  };
};

/** The operations of a surface by name. Over a socket each has the same fields and the same answer as over HTTP. */
export const prepareActions = <I, S>(
  actions: SocketAction<I, S>[],
  checkAnswers: boolean,
): Map<string, PreparedAction<I, S>> => new Map(actions.map((one) => [one.operation.name, prepare(one, checkAnswers)]));
