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
  /** Present if the plan includes work schedules; empty without a schedule. */
  workSchedule?: WorkSchedule;
  /** Shown only to the agent. */
  apiKey?: string;
}
