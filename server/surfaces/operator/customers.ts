import * as contract from '#contracts/operator/customers.ts';
import type { Context } from '#server/context.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { anonymizeCustomer } from '#server/domain/support/erasure/anonymize-customer.ts';
import { type Route, route } from '#server/http/route.ts';

export const customerRoutes = ({ ports: { files } }: Context): Route<PlatformScope>[] => [
  route<PlatformScope>()(contract.anonymiseCustomer, ({ params, body, scope }) =>
    anonymizeCustomer(scope, files, { customerId: params.customer_id, organizationId: body.organization_id }),
  ),
];
