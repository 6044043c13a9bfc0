import type { Executor } from '#server/storage/database.ts';
import { findPasswords } from '#server/storage/platform.ts';
import type { Browser } from '../access.ts';
import { DomainError } from '../errors.ts';
import { isUuid } from '../ids.ts';
import { hashPassword, isPassword } from '../passwords.ts';
import { type OrganizationScope, openOrganizationScope, type Services } from '../scope.ts';
import { randomSecret } from '../secrets.ts';
import { identifySession } from './identify.ts';

export const SESSION_SECONDS = 12 * 3600;
/** One address works for a few organizations at most; each password costs time to check. */
const MOST_ACCOUNTS = 5;

/** Checked when nobody has this login, so that the time tells nothing. */
let nobody: Promise<string> | undefined;

export interface StartedSession {
  secret: string;
  login: string;
  organizationId: string;
}

export interface SignIn {
  login: string;
  password: string;
  /** For who works for several with one password. */
  organizationId?: string | undefined;
  browser?: Browser | undefined;
}

const LONGEST_USER_AGENT = 512;

/** Lets a browser in as this agent. Whoever calls this knows that it is the agent. */
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
      userAgent: (browser?.userAgent ?? '').slice(0, LONGEST_USER_AGENT),
      ip: browser?.ip ?? '',
    })
    .execute();
  return { secret, login, organizationId: scope.organizationId };
};

/** A wrong login and a wrong password are refused alike. */
export const signIn = async (
  executor: Executor,
  services: Services,
  { login, password, organizationId, browser }: SignIn,
): Promise<StartedSession> => {
  const meant = { login: login.trim().toLowerCase(), organizationId };
  const isNowhere = organizationId !== undefined && !isUuid(organizationId);
  const known = isNowhere ? [] : await findPasswords(executor, meant, MOST_ACCOUNTS);
  if (known.length === 0) {
    nobody ??= hashPassword(randomSecret());
    await isPassword(password, await nobody);
  }
  for (const account of known) {
    if (!(await isPassword(password, account.passwordHash))) continue;
    const scope = openOrganizationScope(services, { kind: 'system' }, account.organizationId);
    return startSession(scope, { login: account.login, browser });
  }
  throw new DomainError('authentication', 'The login or the password is wrong');
};

/** The cookie is void from now on, and so are the sockets it opened. Whoever has none is signed out already. */
export const endSession = async (executor: Executor, services: Services, secret: string): Promise<void> => {
  const { organizationId } = await identifySession(executor, services, secret);
  await openOrganizationScope(services, { kind: 'system' }, organizationId).transaction(async (tx) => {
    await tx.remove('agentSessions').where('id', '=', services.secrets.hash(secret)).execute();
    tx.emit({ type: 'credentials_changed', organizationId });
  });
};
