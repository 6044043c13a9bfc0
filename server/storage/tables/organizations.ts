import type { Generated, JSONColumnType } from 'kysely';
import type { PropertiesColumn } from './chats.ts';

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
  /** The generation of the product that the licence is for. */
  productVersion: Generated<number>;
  properties: PropertiesColumn;
  trialEndsAt: Date | null;
  createdAt: Date;
}

export interface InstallationTable {
  key: string;
  value: JSONColumnType<object>;
  setAt: Generated<Date>;
}
