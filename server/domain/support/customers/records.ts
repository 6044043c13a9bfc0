import type { SessionFields } from '#server/storage/tables/customers.ts';
import type { Place } from '#server/storage/tables/visits.ts';

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
  /** Present if there is an address. */
  emailVerified?: boolean;
  avatar?: string;
  sessionFields: SessionFields;
  statistics: CustomerStatistics;
}

export interface VisitRecord {
  startedAt: Date;
  /** Absent while the visit is ongoing. */
  endedAt?: Date;
  referrer?: string;
  ip?: string;
  userAgent?: string;
  place?: Place;
  /** The latest pages, in the order they were opened. */
  lastPages: { url: string; title?: string; openedAt: Date }[];
}

/** What agents can see of a customer. */
export interface CustomerDetails extends CustomerRecord {
  createdAt: Date;
  groupIds: number[];
  /** `offline`: not on the site. */
  state: 'queued' | 'chatting' | 'invited' | 'browsing' | 'offline';
  /** Whether a socket of the customer is open. */
  online: boolean;
  /** Whether the calling agent follows the customer. */
  followed: boolean;
  agentLastEventAt?: Date;
  customerLastEventAt?: Date;
  /** Present while the customer is banned. */
  banEndsAt?: Date;
  lastVisit?: VisitRecord;
}

export interface VerifiedEmail {
  customerId: string;
  email: string;
  verifiedAt: Date;
}

/** Decides which agents receive events about the customer, so that delivery needs no query. */
export interface Monitoring {
  chatting: boolean;
  invited: boolean;
  /** Agents who follow the customer or are in an active chat with them. */
  agentIds: string[];
}
