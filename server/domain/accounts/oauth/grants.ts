import { requireAgent } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { OrganizationScope } from '../../scope.ts';
import { endFamily } from './end-family.ts';
import { rejectOauthTokens, type Scope } from './scopes.ts';

/** An agent's consent to a client, with the tokens issued for it. */
export interface GrantRecord {
  id: string;
  clientId: string;
  clientName: string;
  agentId: string;
  scopes: Scope[];
  accessTokens: number;
  refreshTokens: number;
  grantedAt: Date;
  expiresAt: Date;
}

/** Agents see and revoke their own grants; the owner and administrators those of all agents. */
const ownOnly = (scope: OrganizationScope): string | undefined => {
  rejectOauthTokens(scope.actor);
  const { id, permission } = requireAgent(scope.actor);
  return permission === 'normal' ? id : undefined;
};

export const listGrants = async (scope: OrganizationScope): Promise<GrantRecord[]> => {
  const own = ownOnly(scope);
  const all = scope
    .from('oauthTokens')
    .innerJoin('oauthClients', (join) =>
      join
        .onRef('oauthClients.organizationId', '=', 'oauthTokens.organizationId')
        .onRef('oauthClients.id', '=', 'oauthTokens.clientId'),
    )
    .where('oauthTokens.expiresAt', '>', scope.now())
    .where('oauthTokens.usedAt', 'is', null);
  const rows = await (own === undefined ? all : all.where('oauthTokens.agentId', '=', own))
    .groupBy(['familyId', 'clientId', 'oauthClients.name', 'agentId', 'oauthTokens.scopes'])
    .select(['familyId as id', 'clientId', 'oauthClients.name as clientName', 'agentId', 'oauthTokens.scopes'])
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('kind', '=', 'access').as('accessTokens'),
      eb.fn.countAll<number>().filterWhere('kind', '=', 'refresh').as('refreshTokens'),
      eb.fn.min('oauthTokens.createdAt').as('grantedAt'),
      eb.fn.max('oauthTokens.expiresAt').as('expiresAt'),
    ])
    .orderBy('grantedAt', 'desc')
    .orderBy('id')
    .limit(1000)
    .execute();
  return rows.map((row) => ({
    ...row,
    scopes: row.scopes as Scope[],
    accessTokens: Number(row.accessTokens),
    refreshTokens: Number(row.refreshTokens),
  }));
};

export const revokeGrant = async (scope: OrganizationScope, { id }: { id: string }): Promise<void> => {
  const own = ownOnly(scope);
  if (!isUuid(id)) throw notFound('Grant');
  await scope.transaction(async (tx) => {
    const ofGrant = tx.from('oauthTokens').where('familyId', '=', id);
    const mine = own === undefined ? ofGrant : ofGrant.where('agentId', '=', own);
    if (!(await mine.select('id').executeTakeFirst()) || !(await endFamily(tx, id))) throw notFound('Grant');
  });
};
