import type { QueryOf, ResponseOf } from '#contracts/operation.ts';
import { type ReadByQuery, toPostVariant } from '#contracts/partner/post-variant.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';
import { compileCoercing } from '#server/http/validation.ts';

const partnerRoute = route<PartnerScope>();

/** Serves an operation by GET and by POST. Parameters may be in the query or the body, so both together are validated. */
export const getAndPost = <O extends ReadByQuery>(
  operation: O,
  answer: (query: QueryOf<O>, scope: PartnerScope) => Promise<ResponseOf<O>>,
): Route<PartnerScope>[] => {
  const check = compileCoercing(operation.query);
  return [
    partnerRoute(operation, ({ query, scope }) => answer(query, scope)),
    partnerRoute(toPostVariant(operation), async ({ query, body, scope }) => {
      const requested = { ...query, ...(body as object) };
      if (!check(requested)) throw Object.assign(new Error('The request is not valid'), { validation: check.errors });
      return answer(requested as QueryOf<O>, scope);
    }),
  ];
};
