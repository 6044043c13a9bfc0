import type { ColumnType, Generated } from 'kysely';

export interface GreetingsTable {
  organizationId: string;
  id: number;
  groupId: number;
  name: string;
  active: Generated<boolean>;
  /** As `domain/greetings/rules.ts` defines them. */
  rules: ColumnType<unknown[], string, string>;
  message: Generated<string>;
  createdAt: Date;
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** A greeting that a customer was shown. */
export interface GreetingDisplaysTable {
  organizationId: string;
  id: string;
  greetingId: number;
  visitId: string;
  customerId: string;
  groupId: number;
  /** In whose name. */
  agentId: string;
  /** What it said then. */
  message: string;
  displayedAt: Date;
  acceptedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  canceledAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When a chat came of it. */
  chattedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}
