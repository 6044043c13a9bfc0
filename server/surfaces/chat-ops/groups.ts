import * as contract from '#contracts/chat-ops/groups.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { deleteGroup } from '#server/domain/support/groups/delete-group.ts';
import { addGroup, getGroup, listGroups, updateGroup } from '#server/domain/support/groups/manage-groups.ts';
import { type Route, route } from '#server/http/route.ts';
import { dropEmpty } from './present.ts';

const agentRoute = route<OrganizationScope>();

export const groupRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.listGroups, ({ scope }) => listGroups(scope)),
  agentRoute(contract.getGroup, ({ params, scope }) => getGroup(scope, { id: params.group_id })),
  agentRoute(contract.createGroup, ({ body: { name, language, agents }, scope }) =>
    addGroup(scope, { name, language, agents: dropEmpty(agents) }),
  ),
  agentRoute(contract.updateGroup, ({ params, body: { name, language, agents }, scope }) =>
    updateGroup(scope, { id: params.group_id, name, language, agents: agents && dropEmpty(agents) }),
  ),
  agentRoute(contract.deleteGroup, async ({ params, scope }) => {
    await deleteGroup(scope, { id: params.group_id });
    return { result: 'Group removed successfully' };
  }),
];
