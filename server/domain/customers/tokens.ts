import { DomainError, notFound } from '../errors.ts';
import { isUuid } from '../ids.ts';
import type { OrganizationScope } from '../scope.ts';
import { equalSecrets, randomSecret } from '../secrets.ts';
import { createCustomer } from './create-customer.ts';

export const TOKEN_LIFETIME_SECONDS = 28_800;

export interface IssuedToken {
  token: string;
  customerId: string;
  clientId: string;
  expiresInSeconds: number;
}

/** The pair of cookies that keeps a browser's identity. */
export interface CookieIdentity {
  customerId: string;
  secret: string;
}

const issueToken = async (scope: OrganizationScope, customerId: string, clientId: string): Promise<IssuedToken> => {
  const { secrets, region } = scope.services;
  const token = `${region}:${randomSecret()}`;
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
): Promise<string | undefined> => {
  if (!isUuid(customerId)) return undefined;
  const row = await scope.from('customers').where('id', '=', customerId).select('cookieSecretHash').executeTakeFirst();
  const expected = row?.cookieSecretHash?.toString('hex');
  return expected && equalSecrets(expected, scope.services.secrets.hash(secret).toString('hex'))
    ? customerId
    : undefined;
};

/** A browser's customer: the one its cookies name, else a new one. A wrong secret is a new customer, not an error. */
export const issueCookieToken = (
  scope: OrganizationScope,
  { clientId, identity }: { clientId: string; identity?: CookieIdentity | undefined },
): Promise<IssuedToken & { identity: CookieIdentity }> =>
  scope.transaction(async (tx) => {
    const known = identity && (await findByCookie(tx, identity));
    if (known && identity) return { ...(await issueToken(tx, known, clientId)), identity };
    const secret = randomSecret();
    const customerId = await createCustomer(tx, { cookieSecretHash: tx.services.secrets.hash(secret) });
    return { ...(await issueToken(tx, customerId, clientId)), identity: { customerId, secret } };
  });

/** A server acting for a customer: an agent's credential vouches for it. */
export const issueAgentToken = (
  scope: OrganizationScope,
  { clientId, customerId }: { clientId: string; customerId?: string | undefined },
): Promise<IssuedToken> => {
  if (scope.actor.kind !== 'agent') throw new DomainError('forbidden', 'Only an agent may act for a customer');
  return scope.transaction(async (tx) => {
    if (customerId === undefined) return issueToken(tx, await createCustomer(tx), clientId);
    const known =
      isUuid(customerId) && (await tx.from('customers').where('id', '=', customerId).select('id').executeTakeFirst());
    if (!known) throw notFound('Customer');
    return issueToken(tx, customerId, clientId);
  });
};

export const revokeToken = (scope: OrganizationScope, token: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const id = tx.services.secrets.hash(token);
    const { numDeletedRows } = await tx.remove('customerTokens').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) throw notFound('Token');
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
