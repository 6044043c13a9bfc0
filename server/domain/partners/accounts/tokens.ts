import { isUniqueViolation } from '#server/storage/database-errors.ts';
import { requirePartner } from '../../access.ts';
import { DomainError, invalid } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';
import { randomSecret } from '../../secrets.ts';

export interface TokenRecord {
  id: number;
  token: string;
  label: string;
  createdAt: Date;
}

/** Callers check the permission. */
export const writeToken = async (scope: PartnerScope, label: string): Promise<TokenRecord> => {
  const { secrets, installation } = scope.services;
  const token = `${installation.region}-${randomSecret()}`;
  const row = {
    label,
    tokenHash: secrets.hash(token),
    tokenSealed: secrets.seal(token),
    createdAt: scope.now(),
    revokedAt: null,
  };
  try {
    const { id } = await scope.insert('partnerTokens', row).returning('id').executeTakeFirstOrThrow();
    return { id, token, label, createdAt: row.createdAt };
  } catch (error) {
    if (isUniqueViolation(error, 'partner_tokens_label'))
      throw new DomainError('conflict', 'Another token already has this label');
    throw error;
  }
};

const MIN_LABEL_LENGTH = 3;

/** Surrounding spaces are ignored in the length and in the comparison with other labels. */
export const createToken = async (scope: PartnerScope, input: { label: string }): Promise<TokenRecord> => {
  requirePartner(scope.actor);
  const label = input.label.trim();
  if ([...label].length < MIN_LABEL_LENGTH) throw invalid('label', `must have at least ${MIN_LABEL_LENGTH} characters`);
  return writeToken(scope, label);
};

/** Active tokens with their secrets: the API document lets a partner read them again. */
export const listTokens = async (scope: PartnerScope): Promise<TokenRecord[]> => {
  requirePartner(scope.actor);
  const rows = await scope
    .from('partnerTokens')
    .where('revokedAt', 'is', null)
    .orderBy('id')
    .select(['id', 'label', 'tokenSealed', 'createdAt'])
    .execute();
  return rows.map(({ tokenSealed, ...row }) => ({ ...row, token: scope.services.secrets.unseal(tokenSealed) }));
};

export const revokeToken = async (scope: PartnerScope, { id }: { id: number }): Promise<void> => {
  requirePartner(scope.actor);
  const { numUpdatedRows } = await scope
    .update('partnerTokens')
    .where('id', '=', id)
    .where('revokedAt', 'is', null)
    .set({ revokedAt: scope.now() })
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw invalid('id', 'must be the id of an active token');
};
