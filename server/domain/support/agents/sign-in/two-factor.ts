import { requireAdministrator, requireAgent } from '../../../access.ts';
import { requireInPerson } from '../../../accounts/oauth/scopes.ts';
import { DomainError, invalid, notFound } from '../../../errors.ts';
import { verifyPassword } from '../../../passwords.ts';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { mayDecideAbout } from '../presence/set-status.ts';
import { holdAgent } from '../profile/hold-agent.ts';
import { spendRecoveryCode, writeRecoveryCodes } from './recovery-codes.ts';
import { findStep, newTotpSecret, totpUri } from './totp.ts';

type Tx = Transaction<OrganizationScope>;

const ISSUER = 'Parley';

/** Whoever changes how one signs in says its own password, so that a key or an open browser alone takes nobody's account away. */
const assertPassword = async (scope: OrganizationScope, password: string): Promise<string> => {
  requireInPerson(scope.actor);
  const { id } = requireAgent(scope.actor);
  const asking = await scope.from('agents').where('id', '=', id).select('passwordHash').executeTakeFirst();
  if (!(await verifyPassword(password, asking?.passwordHash ?? null)))
    throw invalid('password', 'is not your password');
  return id;
};

const holdDevice = (tx: Tx, login: string) =>
  tx.from('agentTwoFactor').where('agentId', '=', login).selectAll().forUpdate().executeTakeFirst();

const isOnAlready = (): DomainError =>
  new DomainError('conflict', 'A second device is asked for already: turn that off first');

/** A secret for the device. Nothing is asked for until it has shown a code. */
export const setUpTwoFactor = async (
  scope: OrganizationScope,
  { password }: { password: string },
): Promise<{ secret: string; uri: string }> => {
  const login = await assertPassword(scope, password);
  const secret = newTotpSecret();
  await scope.transaction(async (tx) => {
    await holdAgent(tx, login, 'person');
    if ((await holdDevice(tx, login))?.confirmedAt) throw isOnAlready();
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
  const step = findStep(secret, code.replace(/\s/g, ''), { now: tx.now(), after: lastStep });
  if (step === undefined) return false;
  await tx.update('agentTwoFactor').where('agentId', '=', agentId).set({ lastStep: step }).execute();
  return true;
};

/** From now on a code is asked for. Other browsers, which were let in without one, are signed out. */
export const confirmTwoFactor = async (scope: OrganizationScope, { code }: { code: string }): Promise<string[]> => {
  requireInPerson(scope.actor);
  const { id: login, session } = requireAgent(scope.actor);
  return scope.transaction(async (tx) => {
    const device = await holdDevice(tx, login);
    if (!device) throw notFound('Device');
    if (device.confirmedAt) throw isOnAlready();
    if (!(await acceptStep(tx, device, code))) throw invalid('code', 'is not what the device shows now');
    await tx.update('agentTwoFactor').where('agentId', '=', login).set({ confirmedAt: tx.now() }).execute();
    const current = Buffer.from(session ?? '', 'base64url');
    await tx.remove('agentSessions').where('agentId', '=', login).where('id', '<>', current).execute();
    tx.emit({ type: 'credentials_changed', organizationId: tx.organizationId });
    return writeRecoveryCodes(tx, login);
  });
};

export const renewRecoveryCodes = async (
  scope: OrganizationScope,
  { password }: { password: string },
): Promise<string[]> => {
  const login = await assertPassword(scope, password);
  return scope.transaction(async (tx) => {
    if (!(await holdDevice(tx, login))) throw notFound('Device');
    return writeRecoveryCodes(tx, login);
  });
};

/** One's own, or that of somebody who lost the device; the owner's only by itself. */
export const turnOffTwoFactor = async (
  scope: OrganizationScope,
  { password, login: asked }: { password: string; login?: string | undefined },
): Promise<void> => {
  const asking = requireAgent(scope.actor).id;
  const login = asked?.toLowerCase() ?? asking;
  const own = mayDecideAbout(scope, login);
  await assertPassword(scope, password);
  await scope.transaction(async (tx) => {
    const { id, permission } = await holdAgent(tx, login, 'person');
    if (permission === 'owner' && !own)
      throw new DomainError('forbidden', 'Only the owner may turn off its own second device');
    for (const table of ['agentTwoFactor', 'agentRecoveryCodes'] as const)
      await tx.remove(table).where('agentId', '=', id).execute();
  });
};

/** Whether the code is one of the device or of paper; either counts once. */
export const spendCode = async (tx: Tx, login: string, code: string): Promise<boolean> => {
  const device = await holdDevice(tx, login);
  if (!device?.confirmedAt) return false;
  return (await acceptStep(tx, device, code)) || spendRecoveryCode(tx, login, code);
};

/** Who is asked for a code, so that administrators know who is not. */
export const listTwoFactor = async (scope: OrganizationScope): Promise<{ login: string; enabled: boolean }[]> => {
  requireInPerson(scope.actor);
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
