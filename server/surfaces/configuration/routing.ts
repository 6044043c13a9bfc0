import * as contract from '#contracts/configuration/routing.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import {
  getGroupRouting,
  getRoutingSettings,
  updateGroupRouting,
  updateRoutingSettings,
} from '#server/domain/support/groups/routing-settings.ts';
import { type Route, route } from '#server/http/route.ts';

const routingRoute = route<OrganizationScope>();

export const routingRoutes: Route<OrganizationScope>[] = [
  routingRoute(contract.getGroupRouting, async ({ body, scope }) => {
    const { fallbackGroupId, botsFirst } = await getGroupRouting(scope, { groupId: body.group_id });
    return { group_id: body.group_id, fallback_group_id: fallbackGroupId, bots_first: botsFirst };
  }),
  routingRoute(contract.updateGroupRouting, async ({ body, scope }) => {
    await updateGroupRouting(scope, {
      groupId: body.group_id,
      fallbackGroupId: body.fallback_group_id,
      botsFirst: body.bots_first,
    });
    return {};
  }),
  routingRoute(contract.getRoutingSettings, async ({ scope }) => {
    const { idleCloseMinutes, unassignMinutes, abandonMinutes } = await getRoutingSettings(scope);
    return {
      idle_close_minutes: idleCloseMinutes,
      unassign_minutes: unassignMinutes,
      abandon_minutes: abandonMinutes,
    };
  }),
  routingRoute(contract.updateRoutingSettings, async ({ body, scope }) => {
    await updateRoutingSettings(scope, {
      idleCloseMinutes: body.idle_close_minutes,
      unassignMinutes: body.unassign_minutes,
      abandonMinutes: body.abandon_minutes,
    });
    return {};
  }),
];
