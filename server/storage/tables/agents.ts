import type { ColumnType, Generated } from 'kysely';
import type { AgentStatus, LoginStatus } from './agent-status.ts';
import type { PropertiesColumn } from './chats.ts';
import type { AgentKind, WorkSchedule } from './routing.ts';
import type { GroupSettingsColumns } from './settings.ts';

export type Permission = 'owner' | 'administrator' | 'normal';
export type Notifications = Record<string, boolean>;

export interface GroupsTable extends GroupSettingsColumns {
  organizationId: string;
  id: number;
  name: string;
  language: Generated<string>;
  properties: PropertiesColumn;
  /** Whose agents answer when nobody of this group takes chats. */
  fallbackGroupId: ColumnType<number | null, number | null | undefined, number | null>;
  botsFirst: Generated<boolean>;
  createdAt: Date;
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AgentsTable {
  organizationId: string;
  /** The login, in lower case: the one name of an agent in every dialect. */
  id: string;
  name: string;
  jobTitle: string;
  avatar: Generated<string>;
  permission: Permission;
  loginStatus: LoginStatus;
  status: AgentStatus;
  dailySummary: boolean;
  notifications: ColumnType<Notifications, string, string>;
  maxChatsCount: number;
  passwordHash: string | null;
  apiKeyHash: Buffer;
  apiKeySealed: Buffer;
  lastLogoutAt: Date | null;
  kind: Generated<AgentKind>;
  away: Generated<boolean>;
  /** Since when it has no open socket; absent while it has one, or never had. */
  disconnectedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Of its own clock; absent: the organization's. */
  timezone: ColumnType<string | null, string | null | undefined, string | null>;
  workSchedule: ColumnType<WorkSchedule | null, string | null | undefined, string | null>;
  /** What its schedule last said. */
  onShift: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
  /** When it will say something else. */
  shiftEndsAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  createdAt: Date;
  deletedAt: Date | null;
}

export interface AgentGroupsTable {
  organizationId: string;
  agentId: string;
  groupId: number;
}
