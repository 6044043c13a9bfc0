import * as contract from '#contracts/operator/support-addresses.ts';
import { listSupportAddresses, releaseSupportAddress } from '#server/domain/accounts/licenses/support-addresses.ts';
import type { PlatformScope } from '#server/domain/scope.ts';
import { type Route, route } from '#server/http/route.ts';

const DEFAULT_LIMIT = 25;

const operatorRoute = route<PlatformScope>();

export const supportAddressRoutes: Route<PlatformScope>[] = [
  operatorRoute(contract.listSupportAddresses, async ({ query, scope }) => {
    const { addresses, next } = await listSupportAddresses(scope, { limit: DEFAULT_LIMIT, ...query });
    return {
      support_addresses: addresses.map(({ organizationId, licenseNumber, mailAddress, claimedMailAddress }) => ({
        organization_id: organizationId,
        license_id: licenseNumber,
        ...(mailAddress === null ? {} : { confirmed_address: mailAddress }),
        ...(claimedMailAddress === null ? {} : { unconfirmed_address: claimedMailAddress }),
      })),
      ...(next === undefined ? {} : { next }),
    };
  }),
  operatorRoute(contract.releaseSupportAddress, async ({ params, scope }) => {
    await releaseSupportAddress(scope, params.organization_id);
  }),
];
