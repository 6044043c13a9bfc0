import type { ChatRef } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { announceArrival } from './announce-arrival.ts';
import { groupStatuses } from './candidates.ts';
import { type PlannedAssignment, planQueue } from './plan-queue.ts';
import { queuePositions } from './queue-positions.ts';
import { prependRecent, type RecentQueueEntry, readRecentQueueEntries } from './read-queue-positions.ts';
import type { QueuePosition } from './records.ts';
import { joinedMessage, postSystemMessages } from './routing-messages.ts';
import {
  loadRoutingSnapshot,
  loadRoutingSnapshotForUpdate,
  type QueuedChat,
  type RoutingSnapshot,
} from './routing-snapshot.ts';
import { type AssignedAgent, enterQueue, writeAssignments } from './write-assignments.ts';

type Tx = Transaction<OrganizationScope>;

export interface RoutingResult {
  assigned: PlannedAssignment[];
  /** By chat id. */
  assignedAgents: Map<string, AssignedAgent>;
  /** Of the chats that are still queued, by chat id. */
  positions: Map<string, QueuePosition>;
}

export const toChatRef = (
  { organizationId }: OrganizationScope,
  { chatId, threadId, customerId, groupIds }: Pick<QueuedChat, 'chatId' | 'threadId' | 'customerId' | 'groupIds'>,
): ChatRef => ({ organizationId, chatId, threadId, customerId, groupIds });

const emitGroupStatuses = (tx: Tx, before: RoutingSnapshot, after: RoutingSnapshot): void => {
  const previous = new Map(groupStatuses(before).map(({ id, status }) => [id, status]));
  const groups = groupStatuses(after).filter(({ id, status }) => previous.get(id) !== status);
  if (groups.length > 0) tx.emit({ type: 'group_statuses_changed', organizationId: tx.organizationId, groups });
};

/** Limits the size of one event, so that announcing a long queue fits into a socket frame and a bus message. */
const MAX_POSITIONS_ANNOUNCED = 200;

const isSame = (one: QueuePosition | undefined, other: QueuePosition): boolean =>
  one?.position === other.position && one.waitTime === other.waitTime;

/**
 * Announces changed positions. Chats that have just entered get their position with the announcement of the chat
 * itself.
 */
const emitQueuePositions = (
  tx: Tx,
  waiting: QueuedChat[],
  previous: Map<string, QueuePosition>,
  positions: Map<string, QueuePosition>,
) => {
  const moved = waiting.filter(
    ({ chatId, queueEntryId }) => queueEntryId !== undefined && !isSame(previous.get(chatId), positions.get(chatId)!),
  );
  const byGroups = Map.groupBy(moved, ({ groupIds }) => groupIds.join());
  for (const chats of byGroups.values()) {
    for (let at = 0; at < chats.length; at += MAX_POSITIONS_ANNOUNCED)
      tx.emit({
        type: 'queue_positions_changed',
        organizationId: tx.organizationId,
        groupIds: chats[0]!.groupIds,
        positions: chats.slice(at, at + MAX_POSITIONS_ANNOUNCED).map(({ chatId, threadId, customerId }) => ({
          ...{ chatId, threadId, customerId },
          queue: positions.get(chatId)!,
        })),
      });
  }
};

/** Announces in each chat the agent who was assigned. */
export const announceAssignments = async (
  tx: Tx,
  assignments: { chat: QueuedChat; agent: AssignedAgent }[],
): Promise<void> => {
  for (const { chat, agent } of assignments) {
    const about = toChatRef(tx, chat);
    const { user, wasPresent } = agent;
    if (!wasPresent) tx.emit({ type: 'user_added', ...about, user, visibility: 'all', reason: 'assigned' });
    tx.emit({ type: 'chat_transferred', ...about, reason: 'assigned', to: { agentIds: [user.id] } });
  }
  const joining = assignments.filter(({ agent }) => !agent.wasPresent);
  await postSystemMessages(
    tx,
    joining.map(({ chat, agent }) => ({ about: toChatRef(tx, chat), message: joinedMessage(agent.user.name) })),
  );
  for (const { chat, agent } of assignments) await announceArrival(tx, toChatRef(tx, chat), agent);
};

const toCompletedQueueEntries = (assigned: PlannedAssignment[], leftAt: Date): RecentQueueEntry[] =>
  assigned.flatMap(({ chat: { queueEntryId, groupIds, enteredAt } }) =>
    queueEntryId === undefined ? [] : [{ queueEntryId, groupIds, enteredAt, leftAt }],
  );

/**
 * The positions before this change. Chats that were queued then had not left, even if a person has assigned them since.
 */
const positionsBefore = ({ waiting }: RoutingSnapshot, recent: RecentQueueEntry[]): Map<string, QueuePosition> => {
  const waited = new Set(waiting.map(({ queueEntryId }) => queueEntryId));
  return queuePositions(
    waiting,
    recent.filter(({ queueEntryId }) => !waited.has(queueEntryId)),
  );
};

/**
 * Requires the organization lock. Assigns the queued chats of `after` to agents with room, stores the result, and emits
 * everything that differs from `before`. Queued chats without an entry id are new: those that cannot be assigned enter
 * the queue, and the caller announces them.
 */
export const reroute = async (tx: Tx, before: RoutingSnapshot, after: RoutingSnapshot): Promise<RoutingResult> => {
  // One timestamp for everything, so that the announced positions equal the ones read later.
  const now = tx.now();
  const { assigned, snapshot } = planQueue(after, now);
  const recent = snapshot.waiting.length > 0 ? await readRecentQueueEntries(tx) : [];
  const assignedAgents = await writeAssignments(tx, assigned, now);
  await enterQueue(
    tx,
    snapshot.waiting.filter(({ queueEntryId }) => queueEntryId === undefined),
  );
  const positions = queuePositions(snapshot.waiting, prependRecent(recent, toCompletedQueueEntries(assigned, now)));
  emitGroupStatuses(tx, before, snapshot);
  emitQueuePositions(tx, snapshot.waiting, positionsBefore(before, recent), positions);
  const waited = assigned.filter(({ chat }) => chat.queueEntryId !== undefined);
  await announceAssignments(
    tx,
    waited.map(({ chat }) => ({ chat, agent: assignedAgents.get(chat.chatId)! })),
  );
  return { assigned, assignedAgents, positions };
};

/**
 * Runs `work`, which may change the agents' capacity, then assigns queued chats and announces changed group statuses.
 */
export const withRerouting = async <R>(tx: Tx, work: () => Promise<R>): Promise<R> => {
  const before = await loadRoutingSnapshotForUpdate(tx);
  const result = await work();
  await reroute(tx, before, await loadRoutingSnapshot(tx));
  return result;
};

/** Assigns queued chats after an agent may have gained room. */
export const serveQueue = async (tx: Tx): Promise<void> => {
  const snapshot = await loadRoutingSnapshotForUpdate(tx);
  await reroute(tx, snapshot, snapshot);
};
