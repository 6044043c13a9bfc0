import type { ColumnType, Generated } from 'kysely';

export type GoalType = 'url' | 'custom_variable' | 'api' | 'sales_tracker';

/** The order with which a goal was reached. */
export interface Sale {
  orderId?: string;
  description?: string;
  /** A decimal as received. */
  price?: string;
  currency?: string;
}

export interface GoalsTable {
  organizationId: string;
  id: number;
  name: string;
  active: Generated<boolean>;
  type: GoalType;
  /** The fields that depend on the type. */
  fields: ColumnType<Record<string, unknown>, string, string>;
  createdAt: Date;
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** A goal reached in a visit. */
export interface GoalHitsTable {
  organizationId: string;
  visitId: string;
  goalId: number;
  customerId: string;
  groupId: number;
  /** The chat that was active. */
  threadId: string | null;
  sale: ColumnType<Sale | null, string | null, string | null>;
  /** Empty if there is no order. A goal is reached once per visit, and again with each order. */
  orderId: Generated<string>;
  reachedAt: Date;
}
