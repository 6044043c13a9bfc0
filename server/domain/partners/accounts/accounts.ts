import type { Insertable, Selectable } from 'kysely';
import { isUniqueViolation } from '#server/storage/database-errors.ts';
import type { PartnersTable } from '#server/storage/tables/partners.ts';
import type { ReferredPartnersTable } from '#server/storage/tables/program.ts';
import { requireOperator, requirePartner } from '../../access.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import { hashNewPassword } from '../../passwords.ts';
import { enterPartner, type PartnerScope, type PlatformScope, type Transaction } from '../../scope.ts';
import { writeDefaultCampaigns } from '../campaigns/default-campaigns.ts';
import { writeToken } from './tokens.ts';

export type PartnerRecord = Omit<Selectable<PartnersTable>, 'passwordHash'>;

export interface NewPartner {
  login: string;
  password: string;
  firstName: string;
  lastName: string;
  contactName?: string | undefined;
  contactEmail?: string | undefined;
  referredBy?: number | undefined;
  /** The referrer's campaign and click, if known. */
  referral?: Partial<Omit<Insertable<ReferredPartnersTable>, 'partnerId' | 'referredId' | 'createdAt'>> | undefined;
}

/** The `solution_status` of partners who may resell. */
export const APPROVED = 'approved';

const FIRST_TOKEN_LABEL = 'First token';

const assertReferrer = async (tx: PlatformScope, id: number | undefined): Promise<void> => {
  if (id === undefined) return;
  const referrer = await tx.db.selectFrom('partners').where('id', '=', id).select('id').executeTakeFirst();
  if (!referrer) throw invalid('referredBy', 'must be the id of an existing partner');
};

const writeReferral = async (
  tx: Transaction<PlatformScope>,
  referredId: number,
  { referredBy, referral }: Pick<NewPartner, 'referredBy' | 'referral'>,
): Promise<void> => {
  if (referredBy === undefined) return;
  const row = { ...referral, referredId, createdAt: tx.now() };
  await enterPartner(tx, referredBy).insert('referredPartners', row).execute();
};

export interface WrittenPartner extends Omit<NewPartner, 'password'> {
  passwordHash: string;
  /** Created by the operator, who vouches for the address and the trade. */
  isTrusted?: boolean;
}

/** Creates a partner with a first API token. Callers check the permission. */
export const writePartner = async (
  tx: Transaction<PlatformScope>,
  { passwordHash, ...input }: WrittenPartner,
): Promise<{ partnerId: number; token: string }> => {
  const { login, firstName, lastName, isTrusted = false } = input;
  try {
    const { id } = await tx.db
      .insertInto('partners')
      .values({
        ...{ login, passwordHash, firstName, lastName },
        contactName: input.contactName ?? `${firstName} ${lastName}`,
        contactEmail: input.contactEmail ?? login,
        referredBy: input.referredBy ?? null,
        createdAt: tx.now(),
        ...(isTrusted ? { addressConfirmedAt: tx.now(), solutionStatus: APPROVED } : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeReferral(tx, id, input);
    const inside = enterPartner(tx, id);
    await writeDefaultCampaigns(inside);
    const { token } = await writeToken(inside, FIRST_TOKEN_LABEL);
    return { partnerId: id, token };
  } catch (error) {
    if (isUniqueViolation(error, 'partners_login'))
      throw new DomainError('conflict', 'A partner with this login already exists');
    throw error;
  }
};

/** Creates a partner on behalf of the operator. */
export const createPartner = async (
  scope: PlatformScope,
  { password, ...input }: NewPartner,
): Promise<{ partnerId: number; token: string }> => {
  requireOperator(scope.actor);
  const passwordHash = await hashNewPassword(password, [input.login]);
  return scope.transaction(async (tx) => {
    await assertReferrer(tx, input.referredBy);
    const created = await writePartner(tx, { ...input, passwordHash, isTrusted: true });
    const { login, firstName } = input;
    tx.emit({ type: 'partner_created', partnerId: created.partnerId, login, firstName });
    return created;
  });
};

export const getProfile = async (scope: PartnerScope): Promise<PartnerRecord> => {
  requirePartner(scope.actor);
  const row = await scope.db.selectFrom('partners').where('id', '=', scope.partnerId).selectAll().executeTakeFirst();
  if (!row) throw notFound('Partner');
  const { passwordHash: _, ...partner } = row;
  return partner;
};

export interface ProfileChanges {
  firstName: string;
  lastName: string;
  contactName: string;
  contactEmail: string;
  websites?: string[] | undefined;
  sendMonthlySummary?: boolean | undefined;
  sendResellerWeeklySummary?: boolean | undefined;
  sendNewsletter?: boolean | undefined;
  sendNotifications?: boolean | undefined;
}

/** Fields that are absent stay unchanged. */
export const updateProfile = async (scope: PartnerScope, changes: ProfileChanges): Promise<void> => {
  requirePartner(scope.actor);
  await scope.db.updateTable('partners').where('id', '=', scope.partnerId).set(changes).execute();
};
