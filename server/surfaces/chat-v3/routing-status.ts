import type { AgentRecord } from '#server/domain/support/agents/records.ts';

type Status = AgentRecord['status'];

/** The chat APIs write statuses with underscores. */
export const presentStatus = {
  'accepting chats': 'accepting_chats',
  'not accepting chats': 'not_accepting_chats',
  offline: 'offline',
} as const satisfies Record<Status, string>;

export const readStatus = {
  accepting_chats: 'accepting chats',
  not_accepting_chats: 'not accepting chats',
  offline: 'offline',
} as const satisfies Record<(typeof presentStatus)[Status], Status>;
