import * as contract from '#contracts/partner/status.ts';
import type { Context } from '#server/context.ts';
import type { PartnerScope } from '#server/domain/scope.ts';
import { createAddressLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';

const PER_ADDRESS = { perSecond: 20, burst: 100 };

/** If the database is unavailable the query fails, and the error table answers 503. */
export const statusRoutes = (ctx: Context): Route<PartnerScope>[] => {
  const limit = createAddressLimiter(PER_ADDRESS, ctx.config.rateLimits);
  return [
    route<PartnerScope>()(contract.getStatus, async ({ request }) => {
      limit(request.ip);
      await ctx.database.query({ text: 'select 1', values: [] });
      return { status: 'ok' as const };
    }),
  ];
};
