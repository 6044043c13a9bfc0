import { type Operation, successStatus } from '#contracts/operation.ts';
import type { Action } from '#server/http/route.ts';
import { compileBody, compileResponseCheck } from '#server/http/validation.ts';

export interface PreparedAction<S> {
  operation: Operation;
  /** Begins at once: nothing is awaited before the handler runs. */
  run(scope: S, payload: unknown): Promise<unknown>;
}

const prepare = <S>({ operation, handle }: Action<S>, checkAnswers: boolean): PreparedAction<S> => {
  const check = operation.body ? compileBody(operation.body) : undefined;
  const schema = operation.responses[successStatus(operation)];
  const faultOf = checkAnswers && schema ? compileResponseCheck(schema) : undefined;
  return {
    operation,
    run: async (scope, body) => {
      check?.(body);
      const answer = await handle({ params: {}, query: {}, body: body as undefined, scope });
      const fault = faultOf?.(JSON.parse(JSON.stringify(answer)));
      if (fault) throw new Error(`${operation.name} broke its contract: ${fault}`);
      return answer;
    },
  };
};

/** The operations of a surface by their names: over a socket each takes the same fields and gives the same answer. */
export const prepareActions = <S>(actions: Action<S>[], checkAnswers: boolean): Map<string, PreparedAction<S>> =>
  new Map(actions.map((one) => [one.operation.name, prepare(one, checkAnswers)]));
