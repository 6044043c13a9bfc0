import type { Context } from '#server/context.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';

const PASSWORD_TRIES = { perSecond: 1 / 30, burst: 10 };

/** Limits password attempts, so that a leaked token does not allow guessing the password. */
export const limitPasswordTries = ({ config }: Context): ((scope: PartnerScope) => void) => {
  const limit = createRateLimiter(PASSWORD_TRIES, config.signInLimits);
  return ({ partnerId }) => limit(String(partnerId));
};
