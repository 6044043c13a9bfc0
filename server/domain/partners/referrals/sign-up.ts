import type { Product } from '#server/storage/tables/products.ts';
import { tryCreateConfirmation } from '../../accounts/addresses/confirmations.ts';
import { assertSignUpAllowed, consumeInvitation } from '../../accounts/invitations/admit-sign-up.ts';
import { type OrganizationRecord, writeOrganization } from '../../accounts/licenses/organizations.ts';
import { hashNewPassword } from '../../passwords.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';
import { addReferredLicense } from './add-referred-license.ts';
import { type Attribution, findReferral, type Referral } from './find-referral.ts';

export interface SignUp {
  email: string;
  name: string;
  password: string;
  organization: string;
  product: Product;
  invitation?: string | undefined;
  /** How the visitor came here. */
  attribution: Attribution;
}

const writeReferral = async (
  tx: Transaction<PlatformScope>,
  {
    id,
    product,
    trialEndsAt,
    createdAt,
  }: Pick<OrganizationRecord, 'id' | 'trialEndsAt' | 'createdAt'> & { product: Product },
  { partnerId, offer, ...referral }: Referral,
): Promise<void> => {
  await addReferredLicense(enterPartner(tx, partnerId), {
    ...referral,
    organizationId: id,
    program: 'affiliate',
    product,
    couponId: offer?.couponId ?? null,
    status: 'trial',
    endsAt: trialEndsAt,
    createdAt,
  });
};

/** Creates an organization that starts its trial, and records the referral if there is one. */
export const signUp = async (
  scope: PlatformScope,
  { email, name, password, organization: organizationName, product, invitation, attribution }: SignUp,
): Promise<{ organization: OrganizationRecord; login: string }> => {
  const login = email.toLowerCase();
  const attempt = { kind: 'organization', email: login, invitation } as const;
  await assertSignUpAllowed(scope, attempt);
  const passwordHash = await hashNewPassword(password, [login, name, organizationName]);
  const referral = await findReferral(scope, attribution, { product, email: login });
  return scope.transaction(async (tx) => {
    await consumeInvitation(tx, attempt);
    const { organization, owner } = await writeOrganization(tx, {
      name: organizationName,
      owner: { login, name, passwordHash },
      product,
      trialDays: referral?.offer?.trialDays,
    });
    const { id: organizationId } = organization;
    const claim = { kind: 'agent', ownerId: organizationId, subjectId: login, address: login } as const;
    const secret = await tryCreateConfirmation(tx, claim);
    if (secret) {
      const names = { name: organizationName, ownerName: name, ownerLogin: login };
      tx.emit({ type: 'organization_created', organizationId, ...names, isUntrustedInput: true, secret });
    }
    if (referral) await writeReferral(tx, { ...organization, product }, referral);
    return { organization, login: owner.login };
  });
};
