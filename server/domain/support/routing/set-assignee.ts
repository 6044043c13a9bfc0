import type { OrganizationScope, Transaction } from '../../scope.ts';
import { toCandidate } from './candidates.ts';
import { type Floor, openFloor, readFloor, type Waiting, withLoad, withoutWaiting } from './floor.ts';
import { reroute } from './reroute.ts';
import { type Answering, writePlacements } from './write-placements.ts';

type Tx = Transaction<OrganizationScope>;

/** What the assignee of a chat is set by. A row of `chats` has it all. */
export interface AssignableChat {
  id: string;
  lastThreadId: string;
  customerId: string;
  groupIds: number[];
}

/** A chat that was being answered comes before one that has just arrived; one that somebody handed on comes first. */
export const PRIORITY = { arriving: 0, returning: 1, transferred: 2 } as const;

export const toWaiting = (tx: Tx, { id, lastThreadId, customerId, groupIds }: AssignableChat): Waiting => ({
  ...{ chatId: id, threadId: lastThreadId, customerId, groupIds },
  priority: PRIORITY.arriving,
  enteredAt: tx.now(),
  botDone: false,
});

/** Under the turn: an agent answers because somebody chose it, not by the rule. */
export const placeWith = async (
  tx: Tx,
  floor: Floor,
  chat: Waiting,
  agentId: string,
  rule: string,
): Promise<Answering> => {
  const candidates = floor.agents.filter(({ id }) => id === agentId).map(toCandidate);
  const answering = await writePlacements(tx, [{ chat, agentId, rule, candidates }]);
  return answering.get(chat.chatId)!;
};

/**
 * Makes an agent answer a chat, whatever its status and its limit: the caller has checked what matters, holds no chat's
 * lock, and tells of it. Who answered before stays in the chat unless it is taken out.
 */
export const assignTo = async (tx: Tx, chat: AssignableChat, agentId: string, rule: string): Promise<Answering> => {
  const before = await openFloor(tx);
  const answering = await placeWith(tx, before, toWaiting(tx, chat), agentId, rule);
  await reroute(tx, before, await readFloor(tx));
  return answering;
};

/** The floor after one agent handed its chat to another, or to nobody. */
export const withHandedOver = (floor: Floor, chatId: string, from: string | null, to?: string): Floor => {
  const freed = withLoad(withoutWaiting(floor, [chatId]), from, -1);
  return to === undefined ? freed : withLoad(freed, to, 1);
};
