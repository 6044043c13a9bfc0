import { requireAdministrator, requireAgent } from '../../../access.ts';
import { rejectOauthTokens } from '../../../accounts/oauth/scopes.ts';
import { DomainError, invalid, notFound } from '../../../errors.ts';
import { verifyPassword } from '../../../passwords.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { requireSelfOrAdministrator } from '../presence/set-status.ts';
import { lockAgent } from '../profile/lock-agent.ts';
import { consumeRecoveryCode, writeRecoveryCodes } from './recovery-codes.ts';
import { findMatchingStep, newTotpSecret, totpUri } from './totp.ts';

type Tx = Transaction<OrganizationScope>;

const ISSUER = 'Parley';

/**
 * Changing sign-in methods requires the caller's password, so that an API key or an open browser does not allow taking
 * over the account.
 */
export const assertPassword = async (
  scope: OrganizationScope,
  password: string,
  field = 'password',
): Promise<string> => {
  rejectOauthTokens(scope.actor);
  const { id } = requireAgent(scope.actor);
  const caller = await scope.from('agents').where('id', '=', id).select('passwordHash').executeTakeFirst();
  if (!(await verifyPassword(password, caller?.passwordHash ?? null))) throw invalid(field, 'is incorrect');
  return id;
};

const lockDevice = (tx: Tx, login: string) =>
  tx.from('agentTwoFactor').where('agentId', '=', login).selectAll().forUpdate().executeTakeFirst();

const alreadyEnabled = (): DomainError =>
  new DomainError('conflict', 'Two-step verification is already on. Turn it off first');

/** Creates a secret for the device. It takes effect once a code has been confirmed. */
export const setUpTwoFactor = async (
  scope: OrganizationScope,
  { password }: { password: string },
): Promise<{ secret: string; uri: string }> => {
  const login = await assertPassword(scope, password);
  const secret = newTotpSecret();
  await scope.transaction(async (tx) => {
    await lockAgent(tx, login, 'person');
    if ((await lockDevice(tx, login))?.confirmedAt) throw alreadyEnabled();
    await tx.remove('agentTwoFactor').where('agentId', '=', login).execute();
    const secretSealed = tx.services.secrets.seal(secret);
    await tx.insert('agentTwoFactor', { agentId: login, secretSealed, createdAt: tx.now() }).execute();
  });
  return { secret, uri: totpUri(secret, { login, issuer: ISSUER }) };
};

const acceptStep = async (
  tx: Tx,
  { agentId, secretSealed, lastStep }: { agentId: string; secretSealed: Buffer; lastStep: number | null },
  code: string,
): Promise<boolean> => {
  const secret = tx.services.secrets.unseal(secretSealed);
  const step = findMatchingStep(secret, code.replace(/\s/g, ''), { now: tx.now(), after: lastStep });
  if (step === undefined) return false;
  await tx.update('agentTwoFactor').where('agentId', '=', agentId).set({ lastStep: step }).execute();
  return true;
};

/** Turns on two-factor authentication and ends other sessions, which started without a code. */
export const confirmTwoFactor = async (scope: OrganizationScope, { code }: { code: string }): Promise<string[]> => {
  rejectOauthTokens(scope.actor);
  const { id: login, session } = requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const device = await lockDevice(tx, login);
    if (!device) throw notFound('Device');
    if (device.confirmedAt) throw alreadyEnabled();
    if (!(await acceptStep(tx, device, code))) throw invalid('code', 'does not match the code on the device');
    await tx.update('agentTwoFactor').where('agentId', '=', login).set({ confirmedAt: tx.now() }).execute();
    const current = Buffer.from(session ?? '', 'base64url');
    await tx.remove('agentSessions').where('agentId', '=', login).where('id', '<>', current).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return writeRecoveryCodes(tx, login);
  });
};

/** An agent with two-factor authentication needs a code to change it: a password alone may have been stolen. */
const assertCode = async (tx: Tx, login: string, code: string | undefined): Promise<void> => {
  if (!(await lockDevice(tx, login))?.confirmedAt) return;
  if (code === undefined) throw invalid('code', 'is required: the code from the authenticator app, or a recovery code');
  if (!(await consumeCode(tx, login, code))) throw invalid('code', 'is incorrect or has already been used');
};

interface Confirmation {
  password: string;
  /** Required if the caller has two-factor authentication. */
  code?: string | undefined;
}

export const renewRecoveryCodes = async (
  scope: OrganizationScope,
  { password, code }: Confirmation,
): Promise<string[]> => {
  const login = await assertPassword(scope, password);
  return scope.transaction(async (tx) => {
    if (!(await lockDevice(tx, login))) throw notFound('Device');
    await assertCode(tx, login, code);
    return writeRecoveryCodes(tx, login);
  });
};

/**
 * Turns off two-factor authentication of the caller, or of an agent who lost the device. Only the owner can do so for
 * the owner.
 */
export const turnOffTwoFactor = async (
  scope: OrganizationScope,
  { password, code, login: requestedLogin }: Confirmation & { login?: string | undefined },
): Promise<void> => {
  const callerId = requireAgent(scope.actor).id;
  const login = requestedLogin?.toLowerCase() ?? callerId;
  const own = requireSelfOrAdministrator(scope, login);
  await assertPassword(scope, password);
  await scope.transaction(async (tx) => {
    await assertCode(tx, callerId, code);
    const { id, permission } = await lockAgent(tx, login, 'person');
    if (permission === 'owner' && !own)
      throw new DomainError('forbidden', 'Only the owner can turn off two-step verification of the owner');
    for (const table of ['agentTwoFactor', 'agentRecoveryCodes'] as const)
      await tx.remove(table).where('agentId', '=', id).execute();
  });
};

/** Whether this is a valid device or recovery code. Each works once. */
export const consumeCode = async (tx: Tx, login: string, code: string): Promise<boolean> => {
  const device = await lockDevice(tx, login);
  if (!device?.confirmedAt) return false;
  return (await acceptStep(tx, device, code)) || consumeRecoveryCode(tx, login, code);
};

/** Lists which people have two-factor authentication, for administrators. */
export const listTwoFactor = async (scope: OrganizationScope): Promise<{ login: string; enabled: boolean }[]> => {
  rejectOauthTokens(scope.actor);
  requireAdministrator(scope.actor);
  return scope
    .from('agents')
    .leftJoin('agentTwoFactor', (join) =>
      join
        .onRef('agentTwoFactor.organizationId', '=', 'agents.organizationId')
        .onRef('agentTwoFactor.agentId', '=', 'agents.id'),
    )
    .where('agents.deletedAt', 'is', null)
    .where('agents.kind', '=', 'person')
    .orderBy('agents.id')
    .select(['agents.id as login'])
    .select((eb) => eb('agentTwoFactor.confirmedAt', 'is not', null).$castTo<boolean>().as('enabled'))
    .execute();
};
