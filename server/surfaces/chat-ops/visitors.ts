import * as contract from '#contracts/chat-ops/visitors.ts';
import type { Context } from '#server/context.ts';
import { resolveTimeZone } from '#server/domain/archives/time-zone.ts';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { type LiveFilter, listLiveVisitors } from '#server/domain/visits/live-visitors.ts';
import { setVisitorDetails } from '#server/domain/visits/visitor-details.ts';
import { createRateLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import { visitorPresenter } from './present-visitor.ts';

const PER_ADDRESS = { perSecond: 10, burst: 100 };

const agentRoute = route<OrganizationScope>();

const list = async (scope: OrganizationScope, filter: LiveFilter, count: 0 | 1 | undefined) => {
  const visitors = await listLiveVisitors(scope, filter);
  return count === 1
    ? visitors.length
    : visitors.map(visitorPresenter(await resolveTimeZone(scope, undefined), scope.now()));
};

export const visitorRoutes = (ctx: Context): Route<OrganizationScope>[] => {
  const limit = createRateLimiter(PER_ADDRESS, ctx.config.rateLimits);

  /** An unknown licence is told like a wrong token, so that nobody learns which licences exist. */
  const findOrganization = async (licenceNumber: number): Promise<OrganizationScope> => {
    const row = await ctx.database.kysely
      .selectFrom('organizations')
      .where('licenceNumber', '=', licenceNumber)
      .select('id')
      .executeTakeFirst();
    if (!row) throw new DomainError('authentication', 'The license_id or the token is wrong');
    return openOrganizationScope(ctx.services, { kind: 'visitor' }, row.id);
  };

  return [
    agentRoute(contract.listVisitors, ({ query, scope }) =>
      list(scope, { state: query.state, groupIds: query.group }, query.count),
    ),
    agentRoute(contract.listVisitorsByState, ({ params, query, scope }) =>
      list(scope, { state: params.state, groupIds: query.group }, query.count),
    ),
    agentRoute(contract.addVisitorDetails, async ({ params, body, request }) => {
      limit(request.ip);
      const { token, id, fields, icon } = body;
      const scope = await findOrganization(body.license_id);
      await setVisitorDetails(scope, { visitorId: params.visitor_id, token, id, fields, icon });
      return { result: 'Visitor details added' };
    }),
  ];
};
