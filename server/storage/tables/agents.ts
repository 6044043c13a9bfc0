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
  /** Its agents get the chats while no agent of this group is accepting chats. */
  fallbackGroupId: ColumnType<number | null, number | null | undefined, number | null>;
  botsFirst: Generated<boolean>;
  createdAt: Date;
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface AgentsTable {
  organizationId: string;
  /** The login in lower case. It identifies the agent in all APIs. */
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
  /** When the agent proved that the login is their address; null: not yet. */
  addressConfirmedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  apiKeyHash: Buffer;
  apiKeySealed: Buffer;
  lastLogoutAt: Date | null;
  kind: Generated<AgentKind>;
  away: Generated<boolean>;
  /** When the last socket closed; null while a socket is open, or if there never was one. */
  disconnectedAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Null means the organization's time zone. */
  timezone: ColumnType<string | null, string | null | undefined, string | null>;
  workSchedule: ColumnType<WorkSchedule | null, string | null | undefined, string | null>;
  /** The result of the last evaluation of the work schedule. */
  onShift: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
  /** When the work schedule must be evaluated again. */
  shiftEndsAt: ColumnType<Date | null, Date | null | undefined, Date | null>;
  createdAt: Date;
  deletedAt: Date | null;
}

export interface AgentGroupsTable {
  organizationId: string;
  agentId: string;
  groupId: number;
}
