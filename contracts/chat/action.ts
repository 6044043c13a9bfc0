import type { TObject } from 'typebox';
import type { Operation } from '../operation.ts';
import type { RateLimitClass } from '../rate-limit.ts';
import type { Scope } from '../scopes.ts';

export type ActionFields = Omit<Operation, 'method' | 'path'> & Partial<Pick<Operation, 'method'>>;
export type ScopedActionFields = ActionFields & { readonly scopes: readonly Scope[] };

interface Defaults {
  readonly query: TObject;
  readonly rateLimit: RateLimitClass;
}

/**
 * Operations of the chat APIs v3.5 are `POST /v3.5/<api>/action/<name>` and share their query and rate-limit class. An
 * operation may override each of these except the path.
 */
export const actionsOf =
  <Fields extends ActionFields>() =>
  <const Api extends string, const D extends Defaults>(api: Api, defaults: D) =>
  <const O extends Fields>(operation: O) => {
    const path = `/v3.5/${api}/action/${operation.name}`;
    type Action = { readonly method: 'POST' } & D;
    return { method: 'POST', path, ...defaults, ...operation } as unknown as Omit<Action, keyof O> &
      O & { readonly path: string };
  };
