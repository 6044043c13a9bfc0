import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { createCustomer } from './create-customer.ts';
import { type CustomerUpdate, checkDetails } from './update-customer.ts';

/** Somebody whom an agent knows before any visit. */
export const addCustomer = (scope: OrganizationScope, input: CustomerUpdate): Promise<string> => {
  requireAgent(scope.actor);
  return createCustomer(scope, checkDetails(input));
};
