import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type ExpertStatus = 'draft' | 'pending' | 'approved' | 'rejected';

export interface ExpertsTable {
  partnerId: number;
  status: Generated<ExpertStatus>;
  logoKey: ColumnType<string | null, string | null | undefined, string | null>;
  company: Generated<string>;
  phone: Generated<string>;
  description: Generated<string>;
  shortDescription: Generated<string>;
  agents: Generated<string>;
  hourRate: Generated<string>;
  projectRate: Generated<string>;
  country: Generated<string>;
  website: Generated<string>;
  /** Links to four social networks, in the order of the API document. */
  socials: Generated<string[]>;
  categories: Generated<string[]>;
  languages: Generated<string[]>;
  projects: Generated<string[]>;
  createdAt: Date;
  updatedAt: Date;
}

export interface ExpertCommentsTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  comment: string;
  author: string;
  website: Generated<string>;
  createdAt: Date;
}

export interface ExpertMessagesTable {
  partnerId: number;
  id: GeneratedAlways<number>;
  sentAt: Date;
}

export interface ExpertMonthsTable {
  partnerId: number;
  month: string;
  views: number;
}

export interface ExpertViewersTable {
  partnerId: number;
  fingerprint: Buffer;
  viewedAt: Date;
}
