import type { Agent } from '#contracts/chat-ops/agents.ts';
import { collectErrors, type FieldErrors, required } from '../../editing/field-errors.ts';
import { checkWeek, readWeek, type Week, writeWeek } from './schedule.ts';
import { t } from './t.ts';

export interface AgentDraft {
  login: string;
  name: string;
  job_title: string;
  permission: Agent['permission'];
  groups: number[];
  max_chats_count: number;
  work_scheduler: Week;
}

export const NEW_AGENT: AgentDraft = {
  login: '',
  name: '',
  job_title: '',
  permission: 'normal',
  groups: [],
  max_chats_count: 6,
  work_scheduler: readWeek(undefined),
};

export const readAgent = (agent: Agent): AgentDraft => ({
  login: agent.login,
  name: agent.name,
  job_title: agent.job_title,
  permission: agent.permission,
  groups: agent.groups.map(({ id }) => id).filter((id) => id !== 0),
  max_chats_count: agent.max_chats_count,
  work_scheduler: readWeek(agent.work_scheduler),
});

export const checkAgent = ({ login, name, max_chats_count: limit, work_scheduler: week }: AgentDraft): FieldErrors =>
  collectErrors({
    login: required(login) || (!/^\S+@\S+\.\S+$/.test(login.trim()) && t('enterAnEmailAddress')),
    name: required(name),
    max_chats_count: !(Number.isInteger(limit) && limit >= 0 && limit <= 1000) && t('limitRange'),
    work_scheduler: checkWeek(week),
  });

/** Only changed fields are sent, because the plan may not include others, such as schedules. */
export const changesOf = (before: AgentDraft, draft: AgentDraft) => {
  const differs = (field: keyof AgentDraft): boolean => JSON.stringify(before[field]) !== JSON.stringify(draft[field]);
  return {
    ...(differs('name') ? { name: draft.name.trim() } : {}),
    ...(differs('job_title') && draft.job_title.trim() ? { job_title: draft.job_title.trim() } : {}),
    ...(differs('permission') ? { permission: draft.permission } : {}),
    ...(differs('groups') ? { groups: draft.groups } : {}),
    ...(differs('max_chats_count') ? { max_chats_count: draft.max_chats_count } : {}),
    ...(differs('work_scheduler') ? { work_scheduler: writeWeek(draft.work_scheduler) } : {}),
  };
};
