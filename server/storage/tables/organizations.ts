import type { Generated, JSONColumnType } from 'kysely';

export type Plan = 'starter' | 'team' | 'business' | 'enterprise';
export type LicenceStatus = 'trial' | 'active' | 'expired' | 'blocked';

export interface OrganizationsTable {
  id: string;
  licenceNumber: Generated<number>;
  name: string;
  plan: Plan;
  status: LicenceStatus;
  region: string;
  timezone: string;
  trustedDomains: Generated<string[]>;
  trialEndsAt: Date | null;
  createdAt: Date;
}

export interface InstallationTable {
  key: string;
  value: JSONColumnType<object>;
  setAt: Generated<Date>;
}
