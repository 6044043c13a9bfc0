import type { Operation } from '../operation.ts';
import type { RateLimitClass } from '../rate-limit.ts';
import type { Scope } from '../scopes.ts';

type Authenticated = Operation & { readonly public?: never; readonly scopes: readonly Scope[] };
type Public = Operation & { readonly public: true; readonly rateLimit: RateLimitClass };

/** Authenticated operations declare OAuth scopes; public operations name their rate-limit class. */
export const chatOpsOperation = <const O extends Authenticated | Public>(operation: O) => {
  const rateLimit = 'agent' as const;
  return { rateLimit, ...operation } as Omit<{ readonly rateLimit: 'agent' }, keyof O> & O;
};
