import type { Selectable } from 'kysely';
import type { PartnerBillingTable } from '#server/storage/tables/ledger.ts';
import { requirePartner } from '../../access.ts';
import type { PartnerScope } from '../../scope.ts';

export type BillingDetails = Omit<Selectable<PartnerBillingTable>, 'partnerId' | 'updatedAt'>;

export const findBilling = async (scope: PartnerScope): Promise<BillingDetails | undefined> => {
  const row = await scope.from('partnerBilling').selectAll().executeTakeFirst();
  if (!row) return undefined;
  const { partnerId: _, updatedAt: __, ...details } = row;
  return details;
};

export const getBilling = (scope: PartnerScope): Promise<BillingDetails | undefined> => {
  requirePartner(scope.actor);
  return findBilling(scope);
};

export interface BillingChanges extends Omit<BillingDetails, 'vat' | 'state' | 'zipCode'> {
  vat?: string | undefined;
  zipCode?: string | undefined;
  /** Left alone by whoever does not know of it; `''` removes it. */
  state?: string | undefined;
}

/** Replaces them all. */
export const updateBilling = async (scope: PartnerScope, changes: BillingChanges): Promise<void> => {
  requirePartner(scope.actor);
  // By name: whatever else a caller sends along is nothing to write.
  const { type, company, vat = '', address, city, zipCode = '', country, payoutAccount, state } = changes;
  const details = { type, company, vat, address, city, zipCode, country, payoutAccount };
  const row = { ...details, updatedAt: scope.now(), ...(state === undefined ? {} : { state }) };
  await scope
    .insert('partnerBilling', row)
    .onConflict((conflict) => conflict.column('partnerId').doUpdateSet(row))
    .execute();
};
