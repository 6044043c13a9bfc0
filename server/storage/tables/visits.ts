import type { ColumnType, Generated } from 'kysely';

export interface VisitsTable {
  organizationId: string;
  id: string;
  customerId: string;
  /** The number of the customer's visit, starting from 1. */
  number: number;
  groupId: number;
  startedAt: Date;
  lastSeenAt: Date;
  /** In the future while a socket is open. */
  onlineUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  referrer: string | null;
  userAgent: string | null;
  pageCount: Generated<number>;
  /** The IP address of the last request. */
  ip: ColumnType<string | null, string | null | undefined, string | null>;
  /** When the customer left the site; null while the visit is open. */
  endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The page is considered open until this time without another heartbeat. */
  trackedUntil: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The language of the browser. */
  language: ColumnType<string | null, string | null | undefined, string | null>;
  timezone: ColumnType<string | null, string | null | undefined, string | null>;
  /** The location of the IP address, if known. */
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
  /** Counts from 1 within the visit. */
  number: number;
  url: string;
  title: string | null;
  openedAt: Date;
}

/** Details about a visitor from the integrator's systems. */
export interface VisitorDetailsTable {
  organizationId: string;
  customerId: string;
  /** The name of the set of fields. */
  id: string;
  fields: ColumnType<VisitorField[], string, string>;
  icon: string | null;
  updatedAt: Date;
}

export interface VisitorField {
  name: string;
  value: string;
  /** The URL that the value links to. */
  url?: string;
}
