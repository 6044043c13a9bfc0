import type { Context } from '#server/context.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';

const PASSWORD_TRIES = { perSecond: 1 / 30, burst: 10 };

/** Whoever found a token should not find the password by trying. */
export const limitPasswordTries = ({ config }: Context): ((scope: PartnerScope) => void) => {
  const limit = createRateLimiter(PASSWORD_TRIES, config.rateLimits);
  return ({ partnerId }) => limit(String(partnerId));
};
