import * as contract from '#contracts/customer/forms.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { getForm } from '#server/domain/support/configuration/get-form.ts';
import { type Action, action } from '#server/http/route.ts';
import { presentForm } from '#server/surfaces/chat-v3/present-form.ts';

const customerAction = action<OrganizationScope>();

export const formActions: Action<OrganizationScope>[] = [
  customerAction(contract.getForm, async ({ body, scope }) => {
    const { enabled, form } = await getForm(scope, { groupId: body.group_id, type: body.type });
    return enabled ? { enabled, form: presentForm(form) } : { enabled };
  }),
];
