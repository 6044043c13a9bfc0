import * as contract from '#contracts/customer/customers.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { getCustomer } from '#server/domain/support/customers/get-customer.ts';
import { requestEmailVerification } from '#server/domain/support/customers/request-email-verification.ts';
import { setSessionFields } from '#server/domain/support/customers/session-fields.ts';
import { updateCustomer } from '#server/domain/support/customers/update-customer.ts';
import { type Action, action } from '#server/http/route.ts';
import { presentCustomer } from '#server/surfaces/chat-v3/present-customer.ts';

const customerAction = action<OrganizationScope>();

export const customerActions: Action<OrganizationScope>[] = [
  customerAction(contract.updateCustomer, async ({ body, scope }) => {
    await updateCustomer(scope, {
      name: body.name || undefined,
      email: body.email || undefined,
      avatar: body.avatar || undefined,
      sessionFields: body.session_fields ?? undefined,
    });
    return {};
  }),
  customerAction(contract.setCustomerSessionFields, async ({ body, scope }) => {
    await setSessionFields(scope, { sessionFields: body.session_fields });
    return {};
  }),
  customerAction(contract.getCustomer, async ({ scope }) => presentCustomer(await getCustomer(scope))),
  customerAction(contract.requestEmailVerification, async ({ body, scope }) => {
    await requestEmailVerification(scope, { callbackUri: body.callback_uri });
    return {};
  }),
];
