import type { ColumnType, Generated } from 'kysely';

export type GoalType = 'url' | 'custom_variable' | 'api' | 'sales_tracker';

/** What was sold when a goal was reached. */
export interface Sale {
  orderId?: string;
  description?: string;
  /** A decimal, as it was told. */
  price?: string;
  currency?: string;
}

export interface GoalsTable {
  organizationId: string;
  id: number;
  name: string;
  active: Generated<boolean>;
  type: GoalType;
  /** What else the type asks for. */
  fields: ColumnType<Record<string, unknown>, string, string>;
  createdAt: Date;
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** A goal that was reached in a visit. */
export interface GoalHitsTable {
  organizationId: string;
  visitId: string;
  goalId: number;
  customerId: string;
  groupId: number;
  /** The chat that was going on. */
  threadId: string | null;
  sale: ColumnType<Sale | null, string | null, string | null>;
  /** Empty without one. A goal is reached once in a visit, and once more with each order. */
  orderId: Generated<string>;
  reachedAt: Date;
}
