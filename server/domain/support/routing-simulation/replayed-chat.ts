import type { QueueItem } from './chat-queue.ts';
import type { Outcome, SimulatedChat } from './model.ts';
import { type ChatKind, chatKindOf, type WorkingAgent } from './workforce.ts';

/** The state of a chat during a replay. */
export interface ReplayedChat extends QueueItem {
  chat: SimulatedChat;
  outcome: Outcome;
  /** Incremented with each assignment, so that steps planned for an earlier one can be recognized as outdated. */
  assignmentCount: number;
  worker?: WorkingAgent | undefined;
  /** Set while the chat is assigned. */
  since: number;
  endsAt: number;
  /** Work left by an agent who went offline. */
  remainingMs?: number | undefined;
}

export const startReplay = (chat: SimulatedChat, order: number): ReplayedChat => ({
  chat,
  outcome: { chatId: chat.id, groupIds: chat.groupIds, status: 'waiting', queued: false, waitMs: 0 },
  kind: chatKindOf(chat.groupIds, false),
  priority: chat.priority,
  enteredAt: chat.arrivesAt,
  order,
  isGone: true,
  assignmentCount: 0,
  since: 0,
  endsAt: 0,
});

/** A bot hands the chat over to people; without a bot, people do all the work. */
export const workOf = ({ chat, remainingMs }: ReplayedChat, worker: WorkingAgent): number =>
  remainingMs ?? (worker.kind === 'bot' ? chat.botMs : chat.workMs || chat.botMs);

export const handedOver = ({ chat }: ReplayedChat): ChatKind => chatKindOf(chat.groupIds, true);

export const mustHandOver = ({ chat, kind }: ReplayedChat, worker: WorkingAgent): boolean =>
  worker.kind === 'bot' && !kind.botAnswered && chat.workMs > 0;
