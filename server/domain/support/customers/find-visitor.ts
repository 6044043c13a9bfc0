import { notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope } from '../../scope.ts';

/** The customer whom a program of its own gave this id, else the one who has it by itself. */
export const findVisitor = async (scope: OrganizationScope, visitorId: string): Promise<string> => {
  const customers = scope.from('customers').select('id');
  const named = await customers.where('visitorId', '=', visitorId).executeTakeFirst();
  const known =
    named ?? (isUuid(visitorId) ? await customers.where('id', '=', visitorId).executeTakeFirst() : undefined);
  if (!known) throw notFound('Visitor');
  return known.id;
};
