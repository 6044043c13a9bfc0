import { requireAgent } from '../../access.ts';
import type { OrganizationScope } from '../../scope.ts';
import { createCustomer } from './create-customer.ts';
import { type CustomerUpdate, checkDetails } from './update-customer.ts';

/** Creates a customer on behalf of an agent. */
export const addCustomer = (scope: OrganizationScope, input: CustomerUpdate): Promise<string> => {
  requireAgent(scope.actor);
  return createCustomer(scope, checkDetails(input));
};
