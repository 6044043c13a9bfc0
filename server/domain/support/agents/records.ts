import type { AgentStatus, LoginStatus } from '#server/storage/tables/agent-status.ts';
import type { Notifications, Permission } from '#server/storage/tables/agents.ts';
import type { WorkSchedule } from '#server/storage/tables/routing.ts';

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
  /** Where the plan has work schedules; empty without one. */
  workSchedule?: WorkSchedule;
  /** Only the agent itself ever gets to see it. */
  apiKey?: string;
}
