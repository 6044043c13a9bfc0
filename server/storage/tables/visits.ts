import type { ColumnType, Generated } from 'kysely';

export interface VisitsTable {
  organizationId: string;
  id: string;
  customerId: string;
  /** Counts the customer's visits from 1. */
  number: number;
  groupId: number;
  startedAt: Date;
  lastSeenAt: Date;
  /** While a socket is open this lies ahead. */
  onlineUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  referrer: string | null;
  userAgent: string | null;
  pageCount: Generated<number>;
  /** The address that it was last made from. */
  ip: ColumnType<string | null, string | null | undefined, string | null>;
  /** When the customer had left the site; absent while the visit goes on. */
  endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The page's beacons are believed until then. */
  trackedUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Of the browser. */
  language: ColumnType<string | null, string | null | undefined, string | null>;
  timezone: ColumnType<string | null, string | null | undefined, string | null>;
  /** Where the address is, as far as is known. */
  place: ColumnType<Place | null, string | null | undefined, string | null>;
}

export interface Place {
  city?: string;
  region?: string;
  /** In English. */
  country?: string;
  countryCode?: string;
  latitude?: number;
  longitude?: number;
  timezone?: string;
}

/** The latest pages of a visit. */
export interface VisitPagesTable {
  organizationId: string;
  visitId: string;
  /** Counts from 1 inside the visit. */
  number: number;
  url: string;
  title: string | null;
  openedAt: Date;
}

/** What the account's own programs say about a visitor. */
export interface VisitorDetailsTable {
  organizationId: string;
  customerId: string;
  /** The name of the set. */
  id: string;
  fields: ColumnType<VisitorField[], string, string>;
  icon: string | null;
  updatedAt: Date;
}

export interface VisitorField {
  name: string;
  value: string;
  /** Where the value leads. */
  url?: string;
}
