import { requireOperator } from '../../access.ts';
import { notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import type { PlatformScope } from '../../scope.ts';

export interface SupportAddress {
  organizationId: string;
  licenseNumber: number;
  /** The confirmed address, to which mail becomes tickets. */
  mailAddress: string | null;
  /** An address that waits for confirmation. */
  claimedMailAddress: string | null;
}

/** The support addresses of all organizations, oldest organization first. */
export const listSupportAddresses = async (
  scope: PlatformScope,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): Promise<{ addresses: SupportAddress[]; next?: number }> => {
  requireOperator(scope.actor);
  const found = await scope.db
    .selectFrom('organizations')
    .where('licenseNumber', '>', after)
    .where((eb) => eb.or([eb('mailAddress', 'is not', null), eb('claimedMailAddress', 'is not', null)]))
    .orderBy('licenseNumber')
    .limit(limit + 1)
    .select(['id as organizationId', 'licenseNumber', 'mailAddress', 'claimedMailAddress'])
    .execute();
  const addresses = found.slice(0, limit);
  return { addresses, ...(found.length > limit ? { next: addresses.at(-1)!.licenseNumber } : {}) };
};

/** Takes the support address from an organization, so that another can confirm it. */
export const releaseSupportAddress = async (scope: PlatformScope, organizationId: string): Promise<void> => {
  requireOperator(scope.actor);
  const { numUpdatedRows } = isUuid(organizationId)
    ? await scope.db
        .updateTable('organizations')
        .where('id', '=', organizationId)
        .set({ mailAddress: null, claimedMailAddress: null })
        .executeTakeFirstOrThrow()
    : { numUpdatedRows: 0n };
  if (numUpdatedRows === 0n) throw notFound('Organization');
};
