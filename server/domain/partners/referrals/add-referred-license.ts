import type { Insertable } from 'kysely';
import type { ReferredLicensesTable } from '#server/storage/tables/program.ts';
import { enqueueProjection } from '../../projection-queue.ts';
import type { PartnerScope } from '../../scope.ts';

/** Records that the partner referred a license. */
export const addReferredLicense = async (
  tx: PartnerScope,
  license: Omit<Insertable<ReferredLicensesTable>, 'partnerId'>,
): Promise<void> => {
  await tx.insert('referredLicenses', license).execute();
  await enqueueProjection(tx, 'partner_performance', [license.organizationId]);
};
