import type { Selectable } from 'kysely';
import type { LicenseStatus, Plan } from '#server/storage/tables/organizations.ts';
import type { SubscriptionsTable } from '#server/storage/tables/resellers.ts';
import { requirePartner } from '../../access.ts';
import { assertNotInvited } from '../../accounts/addresses/assert-address-free.ts';
import { sendActivation } from '../../accounts/agents/email-tokens.ts';
import { writeOrganization } from '../../accounts/licenses/organizations.ts';
import { DomainError, notFound } from '../../errors.ts';
import {
  enterOrganization,
  enterPartner,
  openPlatformScope,
  type PartnerScope,
  type PlatformScope,
  type Transaction,
} from '../../scope.ts';
import { APPROVED } from '../accounts/accounts.ts';
import { addReferredLicense } from '../referrals/add-referred-license.ts';

export interface ResellerLicense {
  organizationId: string;
  licenseNumber: number;
  clientName: string;
  clientEmail: string;
  purchaseOrder: string;
  status: LicenseStatus;
  plan: Plan;
  seats: number | null;
  createdAt: Date;
  endsAt: Date | null;
  cardAddedAt: Date | null;
  couponId: number | null;
  /** The reseller's savings on the license, in cents. */
  savedCents: number;
  subscription?: Selectable<SubscriptionsTable>;
}

export interface NewResellerLicense {
  clientName: string;
  clientEmail: string;
  purchaseOrder?: string | undefined;
}

/** Trials at the same time. Every license sends a mail to an address that the reseller enters. */
const MAX_TRIALS = 50;

const assertMayResell = async ({ db }: PlatformScope, partnerId: number): Promise<void> => {
  const partner = await db
    .selectFrom('partners')
    .where('id', '=', partnerId)
    .select(['solutionStatus', 'blocked', 'addressConfirmedAt'])
    .executeTakeFirstOrThrow();
  if (partner.blocked || partner.solutionStatus !== APPROVED)
    throw new DomainError('forbidden', 'Only approved resellers can create licenses. Ask the operator for approval');
  if (!partner.addressConfirmedAt)
    throw new DomainError('forbidden', 'Confirm your email address before you create licenses');
};

/** Locks the partner, so that concurrent requests cannot exceed the limit. */
const assertTrialLeft = async (tx: Transaction<PartnerScope>): Promise<void> => {
  await tx.db.selectFrom('partners').where('id', '=', tx.partnerId).select('id').forNoKeyUpdate().execute();
  const { trials } = await tx
    .from('resellerLicenses')
    .innerJoin('organizations', 'organizations.id', 'resellerLicenses.organizationId')
    .where('organizations.status', '=', 'trial')
    .select((eb) => eb.fn.countAll<number>().as('trials'))
    .executeTakeFirstOrThrow();
  if (trials >= MAX_TRIALS)
    throw new DomainError('limit_reached', `A reseller can have ${MAX_TRIALS} licenses on trial at the same time`);
};

/** Creates a trial for a client, who is invited as its owner. */
export const createResellerLicense = async (
  scope: PartnerScope,
  { clientName, clientEmail, purchaseOrder = '' }: NewResellerLicense,
): Promise<ResellerLicense> => {
  requirePartner(scope.actor);
  const login = clientEmail.toLowerCase();
  const platform = openPlatformScope(scope.services, { kind: 'system' });
  await assertMayResell(platform, scope.partnerId);
  const licenseNumber = await platform.transaction(async (tx) => {
    await assertNotInvited(tx, login);
    const partner = enterPartner(tx, scope.partnerId);
    await assertTrialLeft(partner);
    const owner = { login, name: clientName, passwordHash: null };
    const { organization } = await writeOrganization(tx, { name: clientName, owner });
    const { id: organizationId, trialEndsAt: endsAt, createdAt } = organization;
    const referred = { organizationId, program: 'solution', product: 'mainchat', status: 'trial' } as const;
    await addReferredLicense(partner, { ...referred, endsAt, createdAt });
    await partner.insert('resellerLicenses', { organizationId, clientName, clientEmail, purchaseOrder }).execute();
    await sendActivation(enterOrganization(tx, organizationId), login);
    return organization.licenseNumber;
  });
  return getResellerLicense(scope, licenseNumber);
};

const SELECT = `
  select l.organization_id as "organizationId", o.license_number as "licenseNumber", l.client_name as "clientName",
    l.client_email as "clientEmail", l.purchase_order as "purchaseOrder", o.status, o.plan, o.seats,
    r.created_at as "createdAt", r.ends_at as "endsAt", r.card_added_at as "cardAddedAt", r.coupon_id as "couponId",
    coalesce((select s.amount_cents from ledger_licenses s
      where s.partner_id = l.partner_id and s.organization_id = l.organization_id and s.account = 'saved'), 0) as "savedCents"
  from reseller_licenses l
  join referred_licenses r on r.partner_id = l.partner_id and r.organization_id = l.organization_id
  join organizations o on o.id = l.organization_id
  where l.partner_id = $1`;

const withSubscriptions = async (scope: PartnerScope, licenses: ResellerLicense[]): Promise<ResellerLicense[]> => {
  if (licenses.length === 0) return licenses;
  const ids = licenses.map(({ organizationId }) => organizationId);
  const rows = await scope.from('subscriptions').where('organizationId', 'in', ids).selectAll().execute();
  const byOrganization = new Map(rows.map((row) => [row.organizationId, row]));
  return licenses.map((license) => {
    const subscription = byOrganization.get(license.organizationId);
    return subscription ? { ...license, subscription } : license;
  });
};

const getOne = async (scope: PartnerScope, condition: string, value: string | number): Promise<ResellerLicense> => {
  const { rows } = await scope.executor.query<ResellerLicense>({
    text: `${SELECT} and ${condition} = $2`,
    values: [scope.partnerId, value],
  });
  const [license] = await withSubscriptions(scope, rows);
  if (!license) throw notFound('License');
  return license;
};

export const getResellerLicense = (scope: PartnerScope, licenseNumber: number): Promise<ResellerLicense> =>
  getOne(scope, 'o.license_number', licenseNumber);

export const getResellerLicenseOf = (scope: PartnerScope, organizationId: string): Promise<ResellerLicense> =>
  getOne(scope, 'l.organization_id', organizationId);

/** Newest first. */
export const listResellerLicenses = async (
  scope: PartnerScope,
  { from, until }: { from?: Date | undefined; until?: Date | undefined },
): Promise<ResellerLicense[]> => {
  requirePartner(scope.actor);
  const { rows } = await scope.executor.query<ResellerLicense>({
    text: `${SELECT} and r.created_at >= coalesce($2::timestamptz, '-infinity') and r.created_at < coalesce($3::timestamptz, 'infinity')
      order by r.created_at desc, o.license_number desc`,
    values: [scope.partnerId, from ?? null, until ?? null],
  });
  return withSubscriptions(scope, rows);
};
