import { randomBytes } from 'node:crypto';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { toBase32 } from './totp.ts';

type Tx = Transaction<OrganizationScope>;

const COUNT = 10;
/** Fifty bits each, which cannot be guessed within the allowed attempts. */
const CODE_LENGTH = 10;

/** People type codes from paper, so spaces, hyphens and case are ignored. */
const normalize = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

const hashOf = ({ services, organizationId }: OrganizationScope, login: string, code: string): Buffer =>
  services.secrets.hash(`recovery ${organizationId} ${login} ${normalize(code)}`);

const newCode = (): string => {
  const letters = toBase32(randomBytes(CODE_LENGTH)).slice(0, CODE_LENGTH).toLowerCase();
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
};

/** Replaces all recovery codes. The new ones are shown only once. */
export const writeRecoveryCodes = async (tx: Tx, login: string): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.remove('agentRecoveryCodes').where('agentId', '=', login).execute();
  for (const code of codes)
    await tx.insert('agentRecoveryCodes', { id: hashOf(tx, login, code), agentId: login }).execute();
  return codes;
};

/** Returns whether the code is valid. Each code works once, even for concurrent requests. */
export const consumeRecoveryCode = async (tx: Tx, login: string, code: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .update('agentRecoveryCodes')
    .where('id', '=', hashOf(tx, login, code))
    .where('usedAt', 'is', null)
    .set({ usedAt: tx.now() })
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

export const countRecoveryCodes = async (scope: OrganizationScope, login: string): Promise<number> =>
  (
    await scope
      .from('agentRecoveryCodes')
      .where('agentId', '=', login)
      .where('usedAt', 'is', null)
      .select('id')
      .execute()
  ).length;
