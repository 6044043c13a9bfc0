import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface PartnersTable {
  id: GeneratedAlways<number>;
  login: string;
  passwordHash: string;
  /** When the partner proved that the login is their address; null: not yet. */
  addressConfirmedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  firstName: string;
  lastName: string;
  contactName: string;
  contactEmail: string;
  websites: Generated<string[]>;
  solutionStatus: Generated<string>;
  properties: ColumnType<Record<string, boolean>, string | undefined, string>;
  sendMonthlySummary: Generated<boolean>;
  sendResellerWeeklySummary: Generated<boolean>;
  sendNewsletter: Generated<boolean>;
  sendNotifications: Generated<boolean>;
  referredBy: number | null;
  blocked: Generated<boolean>;
  createdAt: Date;
}

export interface PartnerTokensTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  label: string;
  tokenHash: Buffer;
  tokenSealed: Buffer;
  createdAt: Date;
  revokedAt: Date | null;
}
