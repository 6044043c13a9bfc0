import { tryCreateConfirmation } from '../../accounts/addresses/confirmations.ts';
import { assertSignUpAllowed, consumeInvitation } from '../../accounts/invitations/admit-sign-up.ts';
import { hashNewPassword } from '../../passwords.ts';
import type { PlatformScope } from '../../scope.ts';
import { type Attribution, findReferral } from '../referrals/find-referral.ts';
import { type NewPartner, writePartner } from './accounts.ts';

export interface Joining extends Pick<NewPartner, 'login' | 'password' | 'firstName' | 'lastName'> {
  invitation?: string | undefined;
  attribution: Attribution;
}

/** Registers a partner, who may have been referred by another partner. */
export const joinProgram = async (
  scope: PlatformScope,
  { attribution, password, invitation, ...partner }: Joining,
): Promise<{ partnerId: number; token: string }> => {
  const attempt = { kind: 'partner', email: partner.login, invitation } as const;
  await assertSignUpAllowed(scope, attempt);
  const found = await findReferral(scope, attribution, { product: 'partner_program', email: partner.login });
  const { partnerId: referredBy, offer: _, utmSource: __, ...referral } = found ?? {};
  const passwordHash = await hashNewPassword(password, [partner.login]);
  return scope.transaction(async (tx) => {
    await consumeInvitation(tx, attempt);
    const created = await writePartner(tx, { ...partner, passwordHash, referredBy, referral });
    const { partnerId } = created;
    const { login, firstName } = partner;
    const claim = { kind: 'partner', ownerId: String(partnerId), subjectId: '', address: login } as const;
    const secret = await tryCreateConfirmation(tx, claim);
    if (secret) tx.emit({ type: 'partner_created', partnerId, login, firstName, isUntrustedInput: true, secret });
    return created;
  });
};
