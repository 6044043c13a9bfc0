import { type Desk, type Kind, kindOf } from './desks.ts';
import type { Waiting } from './line.ts';
import type { Outcome, SimulatedChat } from './model.ts';

/** A chat on its way through the replay. */
export interface Visit extends Waiting {
  chat: SimulatedChat;
  outcome: Outcome;
  /** Counts the agents who had it: what was planned for an earlier one no longer holds. */
  turn: number;
  desk?: Desk | undefined;
  /** While an agent has it. */
  since: number;
  endsAt: number;
  /** What an agent who went away left undone. */
  leftMs?: number | undefined;
}

export const openVisit = (chat: SimulatedChat, order: number): Visit => ({
  chat,
  outcome: { chatId: chat.id, groupIds: chat.groupIds, fate: 'waiting', queued: false, waitMs: 0 },
  kind: kindOf(chat.groupIds, false),
  priority: chat.priority,
  enteredAt: chat.arrivesAt,
  order,
  gone: true,
  turn: 0,
  since: 0,
  endsAt: 0,
});

/** A bot hands over what people did; without a bot, people do it all. */
export const workOf = ({ chat, leftMs }: Visit, desk: Desk): number =>
  leftMs ?? (desk.kind === 'bot' ? chat.botMs : chat.workMs || chat.botMs);

export const handedOver = ({ chat }: Visit): Kind => kindOf(chat.groupIds, true);

export const mustHandOver = ({ chat, kind }: Visit, desk: Desk): boolean =>
  desk.kind === 'bot' && !kind.botDone && chat.workMs > 0;
