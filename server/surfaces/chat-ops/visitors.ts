import type { FastifyReply } from 'fastify';
import * as contract from '#contracts/chat-ops/visitors.ts';
import type { Context } from '#server/context.ts';
import { DomainError } from '#server/domain/errors.ts';
import { type OrganizationScope, openOrganizationScope } from '#server/domain/scope.ts';
import { resolveTimeZone } from '#server/domain/support/archives/time-zone.ts';
import { countLiveVisitors, type LiveFilter, listLiveVisitors } from '#server/domain/support/visits/live-visitors.ts';
import { setVisitorDetails } from '#server/domain/support/visits/visitor-details.ts';
import { createClassLimiter } from '#server/http/rate-limit.ts';
import { type Route, route } from '#server/http/route.ts';
import { visitorPresenter } from './present-visitor.ts';

const agentRoute = route<OrganizationScope>();

/** The response schema is a union, which Fastify would evaluate twice for each of thousands of visitors. */
const skipSchemaSerialization = (reply: FastifyReply): FastifyReply =>
  reply.type('application/json; charset=utf-8').serializer(JSON.stringify);

const list = async (
  { scope, reply }: { scope: OrganizationScope; reply: FastifyReply },
  filter: LiveFilter,
  count: 0 | 1 | undefined,
) => {
  skipSchemaSerialization(reply);
  if (count === 1) return countLiveVisitors(scope, filter);
  const present = visitorPresenter(await resolveTimeZone(scope, undefined), scope.now());
  return (await listLiveVisitors(scope, filter)).map(present);
};

export const visitorRoutes = (ctx: Context): Route<OrganizationScope>[] => {
  const limit = createClassLimiter(contract.addVisitorDetails.rateLimit, ctx.config.rateLimits).address;

  /** An unknown license gets the same error as a wrong token, so that license numbers cannot be enumerated. */
  const findOrganization = async (licenseNumber: number): Promise<OrganizationScope> => {
    const row = await ctx.database.kysely
      .selectFrom('organizations')
      .where('licenseNumber', '=', licenseNumber)
      .select('id')
      .executeTakeFirst();
    if (!row) throw new DomainError('authentication', 'The license_id or the token is wrong');
    return openOrganizationScope(ctx.services, { kind: 'visitor' }, row.id);
  };

  return [
    agentRoute(contract.listVisitors, ({ query, ...call }) =>
      list(call, { state: query.state, groupIds: query.group }, query.count),
    ),
    agentRoute(contract.listVisitorsByState, ({ params, query, ...call }) =>
      list(call, { state: params.state, groupIds: query.group }, query.count),
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
