import { type Agent, type AgentSummary, WEEKDAYS, type WorkScheduler } from '#contracts/chat-ops/agents.ts';
import type { AgentRecord } from '#server/domain/support/agents/records.ts';
import { toFlag, toUnixSeconds } from './present.ts';

export const presentSummary = ({ name, permission, avatar, login, status }: AgentRecord): AgentSummary => ({
  name,
  permission,
  avatar,
  login,
  status,
});

/** The default of an unconfigured day. */
const FREE = { enabled: false, start: '09:00', end: '17:00' };

const presentSchedule = (schedule: NonNullable<AgentRecord['workSchedule']>): WorkScheduler =>
  Object.fromEntries(
    WEEKDAYS.map((day) => {
      const { enabled, start, end } = schedule[day] ?? FREE;
      return [day, { enabled: toFlag(enabled), start, end }];
    }),
  ) as WorkScheduler;

export const presentAgent = (agent: AgentRecord): Agent => {
  const { notifications } = agent;
  return {
    ...presentSummary(agent),
    job_title: agent.jobTitle,
    login_status: agent.loginStatus,
    daily_summary: toFlag(agent.dailySummary),
    notifications: {
      new_visitor: toFlag(notifications.new_visitor),
      incoming_chat: toFlag(notifications.incoming_chat),
      returning_visitor: toFlag(notifications.returning_visitor),
      queued_visitor: toFlag(notifications.queued_visitor),
      visitor_is_typing: toFlag(notifications.visitor_is_typing),
      new_goal: toFlag(notifications.new_goal),
    },
    max_chats_count: agent.maxChatsCount,
    groups: agent.groups,
    // 0 means never.
    last_logout: agent.lastLogoutAt ? toUnixSeconds(agent.lastLogoutAt) : 0,
    ...(agent.apiKey ? { api_key: agent.apiKey } : {}),
    ...(agent.workSchedule ? { work_scheduler: presentSchedule(agent.workSchedule) } : {}),
  };
};
