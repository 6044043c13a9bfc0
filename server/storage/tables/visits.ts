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
