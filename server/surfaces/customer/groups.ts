import * as contract from '#contracts/customer/groups.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { listGroupStatuses } from '#server/domain/support/groups/statuses.ts';
import { predictAgent } from '#server/domain/support/routing/predict-agent.ts';
import { type Action, action } from '#server/http/route.ts';
import { presentTo } from './present.ts';

const customerAction = action<OrganizationScope>();

export const groupActions: Action<OrganizationScope>[] = [
  customerAction(contract.listGroupStatuses, async ({ body, scope }) => {
    const groups = await listGroupStatuses(scope, { all: body.all ?? false, groupIds: body.group_ids ?? undefined });
    return { groups_status: Object.fromEntries(groups.map(({ id, status }) => [String(id), status])) };
  }),
  customerAction(contract.getPredictedAgent, async ({ body, scope }) => {
    const next = await predictAgent(scope, { groupId: body.group_id ?? undefined });
    const { name, avatar, jobTitle, isBot, queue } = next;
    const id = presentTo(scope).userId('agent', next.login);
    return { agent: { id, name, avatar, is_bot: isBot, job_title: jobTitle, type: 'agent' as const }, queue };
  }),
];
