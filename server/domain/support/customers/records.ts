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
  /** Only where there is an address. */
  emailVerified?: boolean;
  avatar?: string;
  sessionFields: SessionFields;
  statistics: CustomerStatistics;
}

export interface VisitRecord {
  startedAt: Date;
  /** Absent while the visit goes on. */
  endedAt?: Date;
  referrer?: string;
  ip?: string;
  userAgent?: string;
  place?: Place;
  /** The latest few, in the order in which they were opened. */
  lastPages: { url: string; title?: string; openedAt: Date }[];
}

/** All that agents get to know about a customer. */
export interface CustomerDetails extends CustomerRecord {
  createdAt: Date;
  groupIds: number[];
  /** `offline`: not on the site, or only by a visit that has ended. */
  state: 'queued' | 'chatting' | 'invited' | 'browsing' | 'offline';
  /** Whether a socket of the customer is open. */
  online: boolean;
  /** Whether the agent who asks follows the customer. */
  followed: boolean;
  agentLastEventAt?: Date;
  customerLastEventAt?: Date;
  /** Only while the customer is banned. */
  banEndsAt?: Date;
  lastVisit?: VisitRecord;
}

export interface VerifiedEmail {
  customerId: string;
  email: string;
  verifiedAt: Date;
}

/** Why an agent may want to hear of a customer; whoever tells it need not ask again. */
export interface Attention {
  chatting: boolean;
  invited: boolean;
  /** Who is in an active chat with the customer, or follows it. */
  agentIds: string[];
}
