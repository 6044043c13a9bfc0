import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { PropertiesColumn } from './chats.ts';
import type { Product } from './products.ts';

export type Plan = 'starter' | 'team' | 'business' | 'enterprise';
export type LicenseStatus = 'trial' | 'active' | 'expired' | 'blocked';

export interface OrganizationsTable {
  id: string;
  licenseNumber: Generated<number>;
  name: string;
  plan: Plan;
  status: LicenseStatus;
  region: string;
  timezone: string;
  trustedDomains: Generated<string[]>;
  /** The version of the licensed product. */
  productVersion: Generated<number>;
  properties: PropertiesColumn;
  /** The licensed product. */
  product: Generated<Product>;
  trialEndsAt: Date | null;
  /** The end of the paid period; null if nothing was ever paid. */
  paidUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A chat without messages for this long is closed. */
  idleCloseMinutes: Generated<number>;
  /** A chat is reassigned if the customer waits this long for a reply; null means never. */
  unassignMinutes: ColumnType<number | null, number | null | undefined, number | null>;
  /** A customer who is offline for this long leaves the queue. */
  abandonMinutes: Generated<number>;
  /** The maximum number of agents; null means unlimited. */
  seats: ColumnType<number | null, number | null | undefined, number | null>;
  /** The confirmed address from which the organization's mail server forwards email to Parley. */
  mailAddress: ColumnType<string | null, string | null | undefined, string | null>;
  /** A support address that waits for confirmation. */
  claimedMailAddress: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: Date;
}

export interface InstallationTable {
  key: string;
  value: JSONColumnType<object>;
  setAt: Generated<Date>;
}
