import { ownsLicense } from '#server/storage/platform-referrals.ts';
import type { Product } from '#server/storage/tables/programme.ts';
import { DomainError } from '../../errors.ts';
import { findReferral, type Referral, type Trail } from '../../partners/referrals/attribute.ts';
import { hashPassword } from '../../passwords.ts';
import { enterPartner, type PlatformScope, type Transaction } from '../../scope.ts';
import { type OrganizationRecord, writeOrganization } from './organizations.ts';

export interface SignUp {
  email: string;
  name: string;
  password: string;
  organization: string;
  product: Product;
  /** How they found us. */
  trail: Trail;
}

const SIGN_UP_LOCK = 18;

/** One after the other for each address, so that two at once do not both find it free. */
export const assertAddressFree = async ({ executor }: Transaction<PlatformScope>, login: string): Promise<void> => {
  await executor.query({ text: 'select pg_advisory_xact_lock($1, hashtext($2))', values: [SIGN_UP_LOCK, login] });
  if (await ownsLicense(executor, login))
    throw new DomainError('conflict', 'This e-mail address already has a license', {
      fields: [{ field: 'email', message: 'already has a license' }],
    });
};

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
  await enterPartner(tx, partnerId)
    .insert('referredLicenses', {
      ...referral,
      organizationId: id,
      program: 'affiliate',
      product,
      couponId: offer?.couponId ?? null,
      status: 'trial',
      endsAt: trialEndsAt,
      createdAt,
    })
    .execute();
};

/** Somebody begins a trial. Whoever brought them is noted; whether anybody did makes no difference to them. */
export const signUp = async (
  scope: PlatformScope,
  { email, name, password, organization: organizationName, product, trail }: SignUp,
): Promise<{ organization: OrganizationRecord; login: string }> => {
  const login = email.toLowerCase();
  const passwordHash = await hashPassword(password);
  const referral = await findReferral(scope, trail, { product, email: login });
  return scope.transaction(async (tx) => {
    await assertAddressFree(tx, login);
    const { organization, owner } = await writeOrganization(tx, {
      name: organizationName,
      owner: { login, name, passwordHash },
      product,
      trialDays: referral?.offer?.trialDays,
      byStranger: true,
    });
    if (referral) await writeReferral(tx, { ...organization, product }, referral);
    return { organization, login: owner.login };
  });
};
