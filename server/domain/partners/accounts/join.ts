import { openPlatformScope, type PlatformScope } from '../../scope.ts';
import { type Attribution, findReferral } from '../referrals/find-referral.ts';
import { createPartner, type NewPartner } from './accounts.ts';

/** Registers a partner, who may have been referred by another partner. */
export const joinProgram = async (
  scope: PlatformScope,
  {
    attribution,
    ...partner
  }: Pick<NewPartner, 'login' | 'password' | 'firstName' | 'lastName'> & { attribution: Attribution },
): Promise<{ partnerId: number; token: string }> => {
  const found = await findReferral(scope, attribution, { product: 'partner_program', email: partner.login });
  const { partnerId: referredBy, offer: _, utmSource: __, ...referral } = found ?? {};
  return createPartner(openPlatformScope(scope.services, { kind: 'system' }), {
    ...partner,
    referredBy,
    referral,
    isUntrustedInput: true,
  });
};
