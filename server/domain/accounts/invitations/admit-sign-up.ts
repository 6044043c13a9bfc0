import { DomainError, invalid } from '../../errors.ts';
import type { PlatformScope, Transaction } from '../../scope.ts';
import type { InvitationKind } from './invitations.ts';

export interface SignUpAttempt {
  kind: InvitationKind;
  email: string;
  /** The code of an invitation. */
  invitation?: string | undefined;
}

const validInvitations = (scope: PlatformScope, { kind, email, invitation = '' }: SignUpAttempt) =>
  scope.db
    .selectFrom('invitations')
    .where('codeHash', '=', scope.services.secrets.hash(invitation))
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', scope.now())
    .where((eb) => eb.or([eb('email', 'is', null), eb('email', '=', email.toLowerCase())]))
    .select('id');

const noSuchInvitation = (): DomainError =>
  invalid('invitation', 'must be the code of a valid invitation for this email address');

export const assertSignUpOpen = ({ services }: PlatformScope): void => {
  if (services.installation.signUp === 'closed')
    throw new DomainError('forbidden', 'Sign-up is closed. Ask the operator of this server for an account');
};

/** Whether the operator allows this sign-up. Checked before the password is hashed, which is expensive. */
export const assertSignUpAllowed = async (scope: PlatformScope, attempt: SignUpAttempt): Promise<void> => {
  assertSignUpOpen(scope);
  const isByInvitation = scope.services.installation.signUp === 'invite';
  if (isByInvitation && !(await validInvitations(scope, attempt).executeTakeFirst())) throw noSuchInvitation();
};

/** Marks the invitation as used. Of two concurrent sign-ups only one succeeds. */
export const consumeInvitation = async (tx: Transaction<PlatformScope>, attempt: SignUpAttempt): Promise<void> => {
  if (tx.services.installation.signUp !== 'invite') return;
  const found = await validInvitations(tx, attempt).forUpdate().executeTakeFirst();
  if (!found) throw noSuchInvitation();
  await tx.db.updateTable('invitations').where('id', '=', found.id).set({ usedAt: tx.now() }).execute();
};
