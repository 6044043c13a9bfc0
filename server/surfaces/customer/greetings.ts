import * as contract from '#contracts/customer/greetings.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { acceptGreeting, cancelGreeting } from '#server/domain/support/greetings/answer-greeting.ts';
import { type Action, action } from '#server/http/route.ts';

const customerAction = action<OrganizationScope>();

export const greetingActions: Action<OrganizationScope>[] = [
  customerAction(contract.acceptGreeting, async ({ body, scope }) => {
    await acceptGreeting(scope, { greetingId: body.greeting_id, uniqueId: body.unique_id });
    return {};
  }),
  customerAction(contract.cancelGreeting, async ({ body, scope }) => {
    await cancelGreeting(scope, { uniqueId: body.unique_id });
    return {};
  }),
];
