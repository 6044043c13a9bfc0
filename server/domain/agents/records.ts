import type { AgentStatus, LoginStatus, Notifications, Permission } from '#server/storage/tables/agents.ts';

export interface AgentRecord {
  login: string;
  name: string;
  jobTitle: string;
  avatar: string;
  permission: Permission;
  loginStatus: LoginStatus;
  status: AgentStatus;
  dailySummary: boolean;
  notifications: Notifications;
  maxChatsCount: number;
  groups: { id: number; name: string }[];
  lastLogoutAt?: Date;
  /** Only the agent itself ever gets to see it. */
  apiKey?: string;
}
