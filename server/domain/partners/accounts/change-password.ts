import { requirePartner } from '../../access.ts';
import { DomainError } from '../../errors.ts';
import { hashNewPassword, verifyPassword } from '../../passwords.ts';
import type { PartnerScope } from '../../scope.ts';

/** Confirms a destructive action by the partner's password. */
export const assertPartnerPassword = async (scope: PartnerScope, password: string): Promise<{ login: string }> => {
  const { passwordHash, login } = await scope.db
    .selectFrom('partners')
    .where('id', '=', scope.partnerId)
    .select(['passwordHash', 'login'])
    .executeTakeFirstOrThrow();
  if (!(await verifyPassword(password, passwordHash))) throw new DomainError('forbidden', 'The password is incorrect');
  return { login };
};

export const changePassword = async (
  scope: PartnerScope,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> => {
  requirePartner(scope.actor);
  const { login } = await assertPartnerPassword(scope, currentPassword);
  const passwordHash = await hashNewPassword(newPassword, [login]);
  await scope.db.updateTable('partners').where('id', '=', scope.partnerId).set({ passwordHash }).execute();
};
