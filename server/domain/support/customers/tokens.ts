import type { Browser } from '../../access.ts';
import { DomainError, notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { equalSecrets, randomHex, randomSecret } from '../../secrets.ts';
import { assertGroupsExist } from '../groups/online.ts';
import { canActFor } from './can-act-for.ts';
import { createCustomer } from './create-customer.ts';
import { recordSession } from './record-session.ts';

export const TOKEN_LIFETIME_SECONDS = 28_800;
const MAX_PER_BATCH = 1000;

export interface IssuedToken {
  token: string;
  customerId: string;
  clientId: string;
  expiresInSeconds: number;
}

/** The pair of cookies that identifies a browser. */
export interface CookieIdentity {
  customerId: string;
  secret: string;
}

interface TokenInput {
  clientId: string;
  /** Set for a separate identity per group; absent: the identity for all groups. */
  groupId?: number | undefined;
  browser?: Browser | undefined;
}

const issueToken = async (
  scope: Transaction<OrganizationScope>,
  customerId: string,
  { clientId, browser }: TokenInput,
): Promise<IssuedToken> => {
  await recordSession(scope, customerId, browser);
  const { secrets, installation } = scope.services;
  const token = `${installation.region}:${randomSecret()}`;
  const createdAt = scope.now();
  const expiresAt = new Date(createdAt.getTime() + TOKEN_LIFETIME_SECONDS * 1000);
  await scope
    .insert('customerTokens', { id: secrets.hash(token), customerId, clientId, createdAt, expiresAt })
    .execute();
  return { token, customerId, clientId, expiresInSeconds: TOKEN_LIFETIME_SECONDS };
};

const findByCookie = async (
  scope: OrganizationScope,
  { customerId, secret }: CookieIdentity,
  groupId: number | undefined,
): Promise<string | undefined> => {
  if (!isUuid(customerId)) return undefined;
  const row = await scope
    .from('customers')
    .where('id', '=', customerId)
    .where('groupId', groupId === undefined ? 'is' : '=', groupId ?? null)
    .select('cookieSecretHash')
    .executeTakeFirst();
  const expected = row?.cookieSecretHash?.toString('hex');
  return expected && equalSecrets(expected, scope.services.secrets.hash(secret).toString('hex'))
    ? customerId
    : undefined;
};

/**
 * Issues a token for the customer of the browser's cookies, or else a new one. A wrong secret creates a new customer
 * instead of failing.
 */
export const issueCookieToken = (
  scope: OrganizationScope,
  { identity, ...input }: TokenInput & { identity?: CookieIdentity | undefined },
): Promise<IssuedToken & { identity: CookieIdentity }> =>
  scope.transaction(async (tx) => {
    const { groupId } = input;
    if (groupId !== undefined) await assertGroupsExist(tx, [groupId]);
    const existing = identity && (await findByCookie(tx, identity, groupId));
    if (existing && identity) return { ...(await issueToken(tx, existing, input)), identity };
    const secret = randomHex();
    const customerId = await createCustomer(tx, { cookieSecretHash: tx.services.secrets.hash(secret), groupId });
    return { ...(await issueToken(tx, customerId, input)), identity: { customerId, secret } };
  });

/** Issues a token for a server that acts for a customer, authorized by an agent's credentials. */
export const issueAgentToken = (
  scope: OrganizationScope,
  { customerId, ...input }: TokenInput & { customerId?: string | undefined },
): Promise<IssuedToken> => {
  if (scope.actor.kind !== 'agent') throw new DomainError('forbidden', 'Only agents can act for a customer');
  return scope.transaction(async (tx) => {
    const { groupId } = input;
    if (groupId !== undefined) await assertGroupsExist(tx, [groupId]);
    if (customerId === undefined) return issueToken(tx, await createCustomer(tx, { groupId }), input);
    const existing =
      isUuid(customerId) && (await tx.from('customers').where('id', '=', customerId).select('id').executeTakeFirst());
    if (!existing) throw notFound('Customer');
    if (!(await canActFor(tx, customerId)))
      throw new DomainError('forbidden', 'Acting for this customer requires an owner’s or administrator’s API key');
    return issueToken(tx, customerId, input);
  });
};

export const revokeToken = (scope: OrganizationScope, token: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const id = tx.services.secrets.hash(token);
    const { numDeletedRows } = await tx.remove('customerTokens').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('Token');
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });

/** Deletes a batch of expired tokens and returns their number. */
export const removeExpiredCustomerTokens = async (scope: OrganizationScope): Promise<number> => {
  const expired = scope.from('customerTokens').where('expiresAt', '<=', scope.now()).select('id').limit(MAX_PER_BATCH);
  const { numDeletedRows } = await scope.remove('customerTokens').where('id', 'in', expired).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
};
