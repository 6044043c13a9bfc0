import { DomainError } from '../../errors.ts';
import type { OrganizationScope } from '../../scope.ts';

export const isOwnerConfirmed = async (scope: OrganizationScope): Promise<boolean> =>
  (await scope
    .from('agents')
    .where('permission', '=', 'owner')
    .where('addressConfirmedAt', 'is not', null)
    .select('id')
    .executeTakeFirst()) !== undefined;

/**
 * Rejects mail to others while the owner's address is unconfirmed. Otherwise anyone could send mail anonymously by
 * signing up.
 */
export const assertMayMail = async (scope: OrganizationScope): Promise<void> => {
  if (!(await isOwnerConfirmed(scope)))
    throw new DomainError('forbidden', 'The owner must confirm their email address before email can be sent to others');
};
