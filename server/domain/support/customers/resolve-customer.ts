import { type Actor, type Browser, requireAgent, requireCustomer } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';

/** Customers act on themselves, agents on the customer they specify. */
export const resolveCustomer = (
  actor: Actor,
  customerId: string | undefined,
): { id: string; browser?: Browser | undefined } => {
  if (customerId === undefined) return requireCustomer(actor);
  requireAgent(actor);
  if (!isUuid(customerId)) throw notFound('Customer');
  return { id: customerId.toLowerCase() };
};
