import { type AgentActor, requireAgent } from '../../../access.ts';
import { requireInPerson } from '../../../accounts/oauth/scopes.ts';
import { notFound } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { browserName } from '../../visits/browser-name.ts';
import { nameSession } from './identify.ts';

export interface SessionRecord {
  id: string;
  /** Whether it is the one that asks. */
  current: boolean;
  /** `Chrome 142`, or nothing. */
  browser: string;
  userAgent: string;
  ip: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** Programs do not see, and do not end, where somebody is signed in. */
const requireSelf = (scope: OrganizationScope): AgentActor => {
  requireInPerson(scope.actor);
  return requireAgent(scope.actor);
};

export const listSessions = async (scope: OrganizationScope): Promise<SessionRecord[]> => {
  const { id: login, session } = requireSelf(scope);
  const rows = await scope
    .from('agentSessions')
    .where('agentId', '=', login)
    .where('expiresAt', '>', scope.now())
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .selectAll()
    .limit(1000)
    .execute();
  return rows.map(({ id, userAgent, ip, createdAt, lastUsedAt, expiresAt }) => ({
    ...{ id: nameSession(id), current: nameSession(id) === session },
    ...{ browser: browserName(userAgent), userAgent, ip },
    ...{ createdAt, lastUsedAt: lastUsedAt ?? createdAt, expiresAt },
  }));
};

/** One's own, also the one that asks. */
export const revokeSession = (scope: OrganizationScope, { id }: { id: string }): Promise<void> => {
  const { id: login } = requireSelf(scope);
  return scope.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .remove('agentSessions')
      .where('agentId', '=', login)
      .where('id', '=', Buffer.from(id, 'base64url'))
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw notFound('Session');
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
  });
};

/** All but the one that asks; returns how many there were. */
export const revokeOtherSessions = (scope: OrganizationScope): Promise<number> => {
  const { id: login, session } = requireSelf(scope);
  return scope.transaction(async (tx) => {
    const { numDeletedRows } = await tx
      .remove('agentSessions')
      .where('agentId', '=', login)
      .where('id', '<>', Buffer.from(session ?? '', 'base64url'))
      .executeTakeFirstOrThrow();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return Number(numDeletedRows);
  });
};
