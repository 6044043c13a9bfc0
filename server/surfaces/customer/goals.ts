import * as contract from '#contracts/customer/goals.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { checkGoals } from '#server/domain/support/goals/check-goals.ts';
import { type Action, action } from '#server/http/route.ts';

export const goalActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.checkGoals, async ({ body, scope }) => {
    await checkGoals(scope, {
      sessionFields: body.session_fields,
      groupId: body.group_id,
      pageUrl: body.page_url,
    });
    return {};
  }),
];
