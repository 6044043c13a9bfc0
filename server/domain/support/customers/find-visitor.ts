import { notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope } from '../../scope.ts';

/** Finds a customer by the visitor id of the account's own program, or else by customer id. */
export const findVisitor = async (scope: OrganizationScope, visitorId: string): Promise<string> => {
  const customers = scope.from('customers').select('id');
  const named = await customers.where('visitorId', '=', visitorId).executeTakeFirst();
  const existing =
    named ?? (isUuid(visitorId) ? await customers.where('id', '=', visitorId).executeTakeFirst() : undefined);
  if (!existing) throw notFound('Visitor');
  return existing.id;
};
