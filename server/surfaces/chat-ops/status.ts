import * as contract from '#contracts/chat-ops/status.ts';
import { ALL_AGENTS } from '#server/domain/all-agents-group.ts';
import { DomainError } from '#server/domain/errors.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listGroupStatuses } from '#server/domain/support/groups/statuses.ts';
import { type Route, route } from '#server/http/route.ts';

const agentRoute = route<OrganizationScope>();

/** A queue counts as online. */
const readStatus = async (scope: OrganizationScope, groupId: number) => {
  const [group] = await listGroupStatuses(scope, { all: false, groupIds: [groupId] });
  if (!group) throw new DomainError('group_not_found', 'Group not found');
  return { status: group.status === 'offline' ? ('offline' as const) : ('online' as const) };
};

export const statusRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.getStatus, ({ query, scope }) => readStatus(scope, query.group ?? ALL_AGENTS)),
  agentRoute(contract.getGroupStatus, ({ params, scope }) => readStatus(scope, params.group)),
];
