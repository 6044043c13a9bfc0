import type { Executor } from '#server/storage/executor.ts';
import type { Browser } from '../../../access.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../../../scope.ts';
import { randomSecret } from '../../../secrets.ts';
import { identifySession } from './identify.ts';

export const SESSION_SECONDS = 12 * 3600;
const MAX_USER_AGENT_LENGTH = 512;

export interface StartedSession {
  secret: string;
  login: string;
  organizationId: string;
}

/** Starts a browser session. The caller has authenticated the agent. */
export const startSession = async (
  scope: OrganizationScope,
  { login, browser }: { login: string; browser?: Browser | undefined },
): Promise<StartedSession> => {
  const secret = randomSecret();
  const createdAt = scope.now();
  await scope
    .insert('agentSessions', {
      ...{ id: scope.services.secrets.hash(secret), agentId: login, createdAt },
      expiresAt: new Date(createdAt.getTime() + SESSION_SECONDS * 1000),
      userAgent: (browser?.userAgent ?? '').slice(0, MAX_USER_AGENT_LENGTH),
      ip: browser?.ip ?? '',
    })
    .execute();
  return { secret, login, organizationId: scope.organizationId };
};

/** Ends the session and its sockets. Fails if the session does not exist. */
export const endSession = async (executor: Executor, services: Services, secret: string): Promise<void> => {
  const { organizationId } = await identifySession(executor, services, secret);
  await openOrganizationScope(services, { kind: 'system' }, organizationId).transaction(async (tx) => {
    await tx.remove('agentSessions').where('id', '=', services.secrets.hash(secret)).execute();
    tx.emit({ type: 'credentials_changed', organizationId });
  });
};

/**
 * Ends the previous session of another agent in the same browser: an open page with that agent's chats would act as the
 * new agent.
 */
export const endPreviousSession = async (
  executor: Executor,
  services: Services,
  { before, now }: { before: string | undefined; now: StartedSession },
): Promise<void> => {
  const other = before && (await identifySession(executor, services, before).catch(() => undefined));
  if (!other || (other.actor.id === now.login && other.organizationId === now.organizationId)) return;
  await endSession(executor, services, before);
};
