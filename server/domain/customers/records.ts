import type { SessionFields } from '#server/storage/tables/customers.ts';

export interface CustomerStatistics {
  chatsCount: number;
  threadsCount: number;
  visitsCount: number;
  pageViewsCount: number;
  greetingsShownCount: number;
  greetingsAcceptedCount: number;
}

export interface CustomerRecord {
  id: string;
  name?: string;
  email?: string;
  /** Only where there is an address. */
  emailVerified?: boolean;
  avatar?: string;
  sessionFields: SessionFields;
  statistics: CustomerStatistics;
}

export interface VerifiedEmail {
  customerId: string;
  email: string;
  verifiedAt: Date;
}
