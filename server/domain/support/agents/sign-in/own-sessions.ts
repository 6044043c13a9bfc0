import { type AgentActor, requireAgent } from '../../../access.ts';
import { rejectOauthTokens } from '../../../accounts/oauth/scopes.ts';
import { notFound } from '../../../errors.ts';
import type { OrganizationScope } from '../../../scope.ts';
import { browserName } from '../../visits/browser-name.ts';
import { toSessionId } from './identify.ts';

export interface SessionRecord {
  id: string;
  /** Whether this is the session of the caller. */
  current: boolean;
  /** For example `Chrome 142`; empty if unknown. */
  browser: string;
  userAgent: string;
  ip: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

/** Apps may neither see nor end sessions. */
const requireSelf = (scope: OrganizationScope): AgentActor => {
  rejectOauthTokens(scope.actor);
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
    ...{ id: toSessionId(id), current: toSessionId(id) === session },
    ...{ browser: browserName(userAgent), userAgent, ip },
    ...{ createdAt, lastUsedAt: lastUsedAt ?? createdAt, expiresAt },
  }));
};

/** Ends one of the caller's sessions, including the current one. */
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

/** Ends all sessions except the current one and returns their number. */
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
