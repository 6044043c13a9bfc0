import { type TObject, type TSchema, Type } from 'typebox';
import { type Operation, successStatus } from '#contracts/operation.ts';
import type { Action } from '#server/http/route.ts';
import { compileBody, compileCoercing, compileResponseCheck } from '#server/http/validation.ts';

export interface PreparedAction<S> {
  operation: Operation;
  /** Begins at once: nothing is awaited before the handler runs. */
  run(scope: S, payload: Payload): Promise<unknown>;
}

type Payload = Record<string, unknown>;

const readBody = (schema: TSchema) => {
  const check = compileBody(schema);
  return (payload: Payload) => {
    check(payload);
    return { query: {}, body: payload as unknown as undefined };
  };
};

/** What HTTP takes from the query comes as the payload, where the organization is known already and null means absent. */
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

const prepare = <S>({ operation, handle }: Action<S>, checkAnswers: boolean): PreparedAction<S> => {
  const read = operation.body ? readBody(operation.body) : readQuery(operation.query);
  const schema = operation.responses[successStatus(operation)];
  const faultOf = checkAnswers && schema ? compileResponseCheck(schema) : undefined;
  return {
    operation,
    run: async (scope, payload) => {
      const answer = await handle({ params: {}, ...read(payload), scope });
      const fault = faultOf?.(JSON.parse(JSON.stringify(answer)));
      if (fault) throw new Error(`${operation.name} broke its contract: ${fault}`);
      return answer;
    },
  };
};

/** The operations of a surface by their names: over a socket each takes the same fields and gives the same answer. */
export const prepareActions = <S>(actions: Action<S>[], checkAnswers: boolean): Map<string, PreparedAction<S>> =>
  new Map(actions.map((one) => [one.operation.name, prepare(one, checkAnswers)]));
