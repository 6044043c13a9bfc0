import { lockInTransaction } from '#server/storage/advisory-locks.ts';
import type { AgentActor } from '../../access.ts';
import { isUuid } from '../../ids.ts';
import { type OrganizationScope, openOrganizationScope } from '../../scope.ts';
import { canActFor } from '../customers/can-act-for.ts';
import { createCustomer } from '../customers/create-customer.ts';
import { DEFAULT_CUSTOMER_NAME } from '../customers/default-name.ts';
import { findSession } from './sessions.ts';

export interface VisitorClaim {
  visitorId: string;
  /** The secret of a session of this visitor, if the caller has one. */
  session?: string | undefined;
  /** The agent whose credential the caller presents. */
  agent?: AgentActor | undefined;
}

export interface Visitor {
  customerId: string;
  bannedUntil: Date | null;
  /** Whether the caller may change the visitor's details. */
  isProven: boolean;
  /** The chat that is continued if it is still active. */
  chatId?: string | undefined;
}

const findBySession = async (
  system: OrganizationScope,
  { visitorId, session: secret }: VisitorClaim,
): Promise<Visitor | undefined> => {
  const session = secret ? await findSession(system, { visitorId, secret }) : undefined;
  if (!session) return undefined;
  const { customerId, chatId, bannedUntil } = session;
  return { customerId, chatId, bannedUntil, isProven: true };
};

const findByVisitorId = (system: OrganizationScope, visitorId: string) =>
  system
    .from('customers')
    .where('visitorId', '=', visitorId)
    .select(['id as customerId', 'bannedUntil'])
    .executeTakeFirst();

const findByCustomerId = async (system: OrganizationScope, id: string) =>
  isUuid(id)
    ? system.from('customers').where('id', '=', id).select(['id as customerId', 'bannedUntil']).executeTakeFirst()
    : undefined;

const findActiveChat = (system: OrganizationScope, customerId: string) =>
  system
    .from('chats')
    .where('customerId', '=', customerId)
    .where('active', '=', true)
    .orderBy('lastThreadCreatedAt', 'desc')
    .select('id')
    .limit(1)
    .executeTakeFirst();

const findByAgent = async (
  system: OrganizationScope,
  { visitorId, agent }: VisitorClaim,
): Promise<Visitor | undefined> => {
  if (!agent) return undefined;
  const customer = (await findByVisitorId(system, visitorId)) ?? (await findByCustomerId(system, visitorId));
  if (!customer) return undefined;
  const { customerId } = customer;
  if (!(await canActFor(openOrganizationScope(system.services, agent, system.organizationId), customerId)))
    return undefined;
  return { ...customer, isProven: true, chatId: (await findActiveChat(system, customerId))?.id };
};

/** Anyone can send any visitor id, so an id alone only finds visitors of this API, and none of their chats. */
export const findVisitor = async (system: OrganizationScope, claim: VisitorClaim): Promise<Visitor | undefined> => {
  const proven = (await findBySession(system, claim)) ?? (await findByAgent(system, claim));
  if (proven) return proven;
  const named = await findByVisitorId(system, claim.visitorId);
  return named && { ...named, isProven: false };
};

/**
 * Creates the customer of a new visitor id. If the id is that of a customer, the new one does not get it: agents and
 * programs find visitors by this id, and they must not find the stranger instead of the customer.
 */
export const createVisitor = (
  system: OrganizationScope,
  {
    visitorId,
    name = DEFAULT_CUSTOMER_NAME,
    email,
  }: { visitorId: string; name?: string | undefined; email?: string | undefined },
): Promise<Visitor> =>
  system.transaction(async (tx) => {
    // Two requests with the same new id at the same time create one visitor.
    await lockInTransaction(tx.executor, 'visitor', `${tx.organizationId} ${visitorId}`);
    const existing = await findByVisitorId(tx, visitorId);
    if (existing) return { ...existing, isProven: false };
    const customerId = await createCustomer(tx, { name, email });
    if (!(await findByCustomerId(tx, visitorId)))
      await tx.update('customers').where('id', '=', customerId).set({ visitorId }).execute();
    return { customerId, bannedUntil: null, isProven: false };
  });
