import { requirePartner } from '../../access.ts';
import { DomainError } from '../../errors.ts';
import type { PartnerScope } from '../../scope.ts';

/** Disables a campaign by its id or slug. Its name can be used again; its links still redirect, but clicks are not counted. */
export const disableCampaign = async (scope: PartnerScope, which: { id: number } | { slug: string }): Promise<void> => {
  requirePartner(scope.actor);
  const [column, value] = 'id' in which ? (['id', which.id] as const) : (['slug', which.slug] as const);
  const disabled = await scope
    .update('campaigns')
    .where(column, '=', value)
    .where('isDefault', '=', false)
    .where('disabledAt', 'is', null)
    .set({ disabledAt: scope.now() })
    .returning('id')
    .executeTakeFirst();
  if (disabled) return;
  const found = await scope.from('campaigns').where(column, '=', value).select('isDefault').executeTakeFirst();
  throw new DomainError(
    'forbidden',
    found?.isDefault ? 'A default campaign cannot be disabled' : 'The campaign does not exist or is already disabled',
  );
};
