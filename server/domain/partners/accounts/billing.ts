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
  /** Unchanged if absent; `''` removes it. */
  state?: string | undefined;
}

/** Replaces all billing details. */
export const updateBilling = async (scope: PartnerScope, changes: BillingChanges): Promise<void> => {
  requirePartner(scope.actor);
  // Only the known columns: callers may pass more properties.
  const { type, company, vat = '', address, city, zipCode = '', country, payoutAccount, state } = changes;
  const details = { type, company, vat, address, city, zipCode, country, payoutAccount };
  const row = { ...details, updatedAt: scope.now(), ...(state === undefined ? {} : { state }) };
  await scope
    .insert('partnerBilling', row)
    .onConflict((conflict) => conflict.column('partnerId').doUpdateSet(row))
    .execute();
};
