import type { ColumnType, Generated } from 'kysely';
import type { PropertiesColumn } from './chats.ts';
import type { GroupSettingsColumns } from './settings.ts';

export type Permission = 'owner' | 'administrator' | 'normal';
export type LoginStatus = 'accepting chats' | 'not accepting chats';
export type AgentStatus = LoginStatus | 'offline';
export type Notifications = Record<string, boolean>;

export interface GroupsTable extends GroupSettingsColumns {
  organizationId: string;
  id: number;
  name: string;
  language: Generated<string>;
  properties: PropertiesColumn;
  createdAt: Date;
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
  createdAt: Date;
  deletedAt: Date | null;
}

export interface AgentGroupsTable {
  organizationId: string;
  agentId: string;
  groupId: number;
}
