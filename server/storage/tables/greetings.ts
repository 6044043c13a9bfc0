import type { ColumnType, Generated } from 'kysely';

export interface GreetingsTable {
  organizationId: string;
  id: number;
  groupId: number;
  name: string;
  active: Generated<boolean>;
  /** Defined in `domain/support/greetings/rules.ts`. */
  rules: ColumnType<unknown[], string, string>;
  message: Generated<string>;
  createdAt: Date;
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** A greeting displayed to a customer. */
export interface GreetingDisplaysTable {
  organizationId: string;
  id: string;
  greetingId: number;
  visitId: string;
  customerId: string;
  groupId: number;
  /** The agent in whose name it was displayed. */
  agentId: string;
  /** Its text at that time. */
  message: string;
  displayedAt: Date;
  acceptedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  canceledAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When it led to a chat. */
  chattedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
