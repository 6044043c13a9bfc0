import { randomBytes } from 'node:crypto';
import type { OrganizationScope, Transaction } from '../../../scope.ts';
import { toBase32 } from './totp.ts';

type Tx = Transaction<OrganizationScope>;

const COUNT = 10;
/** Fifty bits each: nobody tries them out within the tries that are allowed. */
const LETTERS = 10;

/** People type them from paper. */
const normalise = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

const hashOf = ({ services, organizationId }: OrganizationScope, login: string, code: string): Buffer =>
  services.secrets.hash(`recovery ${organizationId} ${login} ${normalise(code)}`);

const newCode = (): string => {
  const letters = toBase32(randomBytes(LETTERS)).slice(0, LETTERS).toLowerCase();
  return `${letters.slice(0, LETTERS / 2)}-${letters.slice(LETTERS / 2)}`;
};

/** Those before are void. They are shown this once. */
export const writeRecoveryCodes = async (tx: Tx, login: string): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, newCode);
  await tx.remove('agentRecoveryCodes').where('agentId', '=', login).execute();
  for (const code of codes)
    await tx.insert('agentRecoveryCodes', { id: hashOf(tx, login, code), agentId: login }).execute();
  return codes;
};

/** Each counts once: of two at the same time one does. */
export const spendRecoveryCode = async (tx: Tx, login: string, code: string): Promise<boolean> => {
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
