import { randomUUID } from 'node:crypto';
import { type Actor, requireAdministrator } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';
import { checkRedirectUri } from './redirect-uris.ts';
import { rejectOauthTokens, type Scope } from './scopes.ts';

export interface ClientRecord {
  id: string;
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  /** Whether the client is confidential. */
  confidential: boolean;
  createdBy: string;
  createdAt: Date;
}

export interface NewClient {
  name: string;
  redirectUris: string[];
  scopes: Scope[];
  confidential: boolean;
}

const MAX_CLIENTS = 100;

/** Only the owner and administrators manage OAuth clients, and never with an OAuth token. */
const requireManager = (actor: Actor): string => {
  rejectOauthTokens(actor);
  requireAdministrator(actor);
  return actor.kind === 'agent' ? actor.id : actor.kind;
};

/** The secret is returned once and stored as a hash. */
export const registerClient = async (
  scope: OrganizationScope,
  { name, redirectUris, scopes, confidential }: NewClient,
): Promise<{ id: string; secret?: string }> => {
  const createdBy = requireManager(scope.actor);
  if (name.trim() === '') throw invalid('name', 'must not be empty');
  const uris = [...new Set(redirectUris.map((uri, at) => checkRedirectUri(uri, `redirect_uris.${at}`)))];
  const id = randomUUID();
  const secret = confidential ? randomSecret() : undefined;
  await scope.transaction(async (tx) => {
    await tx.db
      .selectFrom('organizations')
      .where('id', '=', tx.organizationId)
      .select('id')
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const rows = await tx.from('oauthClients').select('id').execute();
    if (rows.length >= MAX_CLIENTS) throw new DomainError('limit_reached', 'Resource limit reached');
    const secretHash = secret === undefined ? null : tx.services.secrets.hash(secret);
    const row = { id, name: name.trim(), secretHash, redirectUris: uris, scopes, createdBy, createdAt: tx.now() };
    await tx.insert('oauthClients', row).execute();
  });
  return { id, ...(secret === undefined ? {} : { secret }) };
};

export const listClients = async (scope: OrganizationScope): Promise<ClientRecord[]> => {
  requireManager(scope.actor);
  const rows = await scope.from('oauthClients').orderBy('createdAt').orderBy('id').selectAll().execute();
  return rows.map(({ id, name, redirectUris, scopes, secretHash, createdBy, createdAt }) => ({
    ...{ id, name, redirectUris, createdBy, createdAt },
    scopes: scopes as Scope[],
    confidential: secretHash !== null,
  }));
};

/** Its codes and tokens are deleted with it. */
export const deleteClient = async (scope: OrganizationScope, { id }: { id: string }): Promise<void> => {
  requireManager(scope.actor);
  await scope.transaction(async (tx) => {
    const { numDeletedRows } = isUuid(id)
      ? await tx.remove('oauthClients').where('id', '=', id).executeTakeFirst()
      : { numDeletedRows: 0n };
    if (numDeletedRows === 0n) throw notFound('Client');
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};
