import * as contract from '#contracts/operator/bans.ts';
import { getOrganization } from '#server/domain/accounts/licenses/organizations.ts';
import { openOrganizationScope, type PlatformScope } from '#server/domain/scope.ts';
import { addBan } from '#server/domain/support/customers/bans.ts';
import { type Route, route } from '#server/http/route.ts';
import { toTimestamp } from '#server/http/timestamp.ts';

export const banRoutes: Route<PlatformScope>[] = [
  route<PlatformScope>()(contract.createBan, async ({ params, body, scope }) => {
    const { id } = await getOrganization(scope, params.organization_id);
    const ban = await addBan(openOrganizationScope(scope.services, scope.actor, id), {
      customerId: body.customer_id,
      ip: body.ip,
      days: body.days,
    });
    return {
      id: ban.id,
      ...(ban.customerId === null ? {} : { customer_id: ban.customerId }),
      ...(ban.ip === null ? {} : { ip: ban.ip }),
      banned_until: toTimestamp(ban.until),
    };
  }),
];
