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
  /** The generation of the product that the license is for. */
  productVersion: Generated<number>;
  properties: PropertiesColumn;
  /** What the license is for. */
  product: Generated<Product>;
  trialEndsAt: Date | null;
  /** Until when it is paid; absent: never was. */
  paidUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A chat without a word for this long is closed. */
  idleCloseMinutes: Generated<number>;
  /** An agent who leaves a customer waiting this long loses the chat; absent: never. */
  unassignMinutes: ColumnType<number | null, number | null | undefined, number | null>;
  /** A customer who is gone this long has left the queue. */
  abandonMinutes: Generated<number>;
  /** How many people the license is for; absent: any number. */
  seats: ColumnType<number | null, number | null | undefined, number | null>;
  /** Where its own mail server passes its mail on from. */
  mailAddress: ColumnType<string | null, string | null | undefined, string | null>;
  createdAt: Date;
}

export interface InstallationTable {
  key: string;
  value: JSONColumnType<object>;
  setAt: Generated<Date>;
}
