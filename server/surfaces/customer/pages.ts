import * as contract from '#contracts/customer/pages.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { recordPage } from '#server/domain/support/visits/record-page.ts';
import { type Action, action } from '#server/http/route.ts';

export const pageActions: Action<OrganizationScope>[] = [
  action<OrganizationScope>()(contract.updateCustomerPage, async ({ body, scope }) => {
    await recordPage(scope, { url: body.url, title: body.title ?? undefined });
    return {};
  }),
];
