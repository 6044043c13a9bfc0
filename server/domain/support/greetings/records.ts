import type { AgentKind } from '#server/storage/tables/routing.ts';
import type { Rule, RuleDraft } from './rules.ts';

export interface GreetingRecord {
  id: number;
  groupId: number;
  name: string;
  active: boolean;
  rules: Rule[];
  /** The text for visitors; without it the greeting is not shown. */
  message: string;
}

export interface GreetingDraft {
  name: string;
  groupId: number;
  active: boolean;
  rules: RuleDraft[];
  message: string;
}

/** A greeting that was shown to a customer. */
export interface ShownGreeting {
  uniqueId: string;
  greetingId: number;
  message: string;
  agent: { login: string; name: string; avatar: string; jobTitle: string; kind: AgentKind };
  displayedAt: Date;
  firstTime: boolean;
  accepted: boolean;
}
