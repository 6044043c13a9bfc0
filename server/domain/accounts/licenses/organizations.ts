import { randomUUID } from 'node:crypto';
import type { LicenseStatus, Plan } from '#server/storage/tables/organizations.ts';
import type { Product } from '#server/storage/tables/products.ts';
import { requireOperator } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import { DomainError, invalid, notFound } from '../../errors.ts';
import { isUuid } from '../../ids.ts';
import { hashNewPassword } from '../../passwords.ts';
import { enterOrganization, type PlatformScope, type Transaction } from '../../scope.ts';
import { isTimeZone } from '../../time-zones.ts';
import { writeAgent } from '../agents/create-agent.ts';
import { assertProductVersion } from './product-version.ts';

export interface NewOrganization {
  name: string;
  owner: { login: string; name: string; password: string };
  plan?: Plan | undefined;
  region?: string | undefined;
  timezone?: string | undefined;
}

export interface OrganizationRecord {
  id: string;
  licenseNumber: number;
  name: string;
  plan: Plan;
  status: LicenseStatus;
  region: string;
  timezone: string;
  trustedDomains: string[];
  productVersion: number;
  seats: number | null;
  trialEndsAt: Date | null;
  paidUntil: Date | null;
  createdAt: Date;
}

const TRIAL_DAYS = 14;
const DAY_MS = 24 * 3600 * 1000;

export interface CreatedOrganization {
  organization: OrganizationRecord;
  owner: { login: string; apiKey: string };
}

export interface WrittenOrganization extends Omit<NewOrganization, 'owner' | 'region'> {
  /** Without a password the owner cannot sign in until choosing one. */
  owner: { login: string; name: string; passwordHash: string | null };
  product?: Product | undefined;
  trialDays?: number | undefined;
  /** The operator vouches for the address of the owner. */
  isConfirmed?: boolean;
}

/** Creates an organization with its built-in group and its owner, and starts its trial. Callers check the permission. */
export const writeOrganization = async (
  tx: Transaction<PlatformScope>,
  input: WrittenOrganization,
): Promise<CreatedOrganization> => {
  const createdAt = tx.now();
  const { owner: ownerInput, trialDays = TRIAL_DAYS, isConfirmed = false } = input;
  const organization = await tx.db
    .insertInto('organizations')
    .values({
      id: randomUUID(),
      name: input.name,
      plan: input.plan ?? 'team',
      product: input.product ?? 'mainchat',
      status: 'trial',
      region: tx.services.installation.region,
      timezone: input.timezone ?? 'UTC',
      trialEndsAt: new Date(createdAt.getTime() + trialDays * DAY_MS),
      createdAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const inside = enterOrganization(tx, organization.id);
  await inside.insert('groups', { id: ALL_AGENTS, name: 'All agents', createdAt }).execute();
  const owner = await writeAgent(inside, { ...ownerInput, permission: 'owner', isConfirmed });
  return { organization, owner };
};

/** Creates an organization on behalf of the operator. */
export const createOrganization = async (
  scope: PlatformScope,
  input: NewOrganization,
): Promise<CreatedOrganization> => {
  requireOperator(scope.actor);
  if (input.timezone !== undefined && !isTimeZone(input.timezone))
    throw invalid('timezone', 'must be an IANA time zone name, for example Europe/Warsaw');
  const { region } = scope.services.installation;
  if (input.region !== undefined && input.region !== region)
    throw invalid('region', `must be ${region}, the region of this server`);
  const { login, name, password } = input.owner;
  const owner = { login, name, passwordHash: await hashNewPassword(password, [login, name, input.name]) };
  return scope.transaction(async (tx) => {
    const created = await writeOrganization(tx, { ...input, owner, isConfirmed: true });
    const { id: organizationId } = created.organization;
    const names = { name: input.name, ownerName: name, ownerLogin: created.owner.login };
    tx.emit({ type: 'organization_created', organizationId, ...names });
    return created;
  });
};

export const findOrganization = async (scope: PlatformScope, id: string): Promise<OrganizationRecord | undefined> =>
  isUuid(id) ? scope.db.selectFrom('organizations').where('id', '=', id).selectAll().executeTakeFirst() : undefined;

export const getOrganization = async (scope: PlatformScope, id: string): Promise<OrganizationRecord> => {
  const organization = await findOrganization(scope, id);
  if (!organization) throw notFound('Organization');
  return organization;
};

/** Throws unless the license of the organization is valid now. */
export const getLicensedOrganization = async (scope: PlatformScope, id: string): Promise<OrganizationRecord> => {
  const organization = await findOrganization(scope, id);
  if (!organization) throw new DomainError('license_not_found', 'License not found');
  if (organization.status === 'expired' || organization.status === 'blocked')
    throw new DomainError('license_expired', 'License expired');
  assertProductVersion(organization.productVersion);
  return organization;
};
