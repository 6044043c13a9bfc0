import type { InChat } from '../../events.ts';
import type { OrganizationScope, Transaction } from '../../scope.ts';
import { groupStatuses } from './candidates.ts';
import { type Floor, openFloor, readFloor, type Waiting } from './floor.ts';
import { type Placed, planQueue } from './plan-queue.ts';
import { placesOf } from './queue-positions.ts';
import { type RecentStay, readRecentStays, withDepartures } from './read-queue.ts';
import type { QueuePlace } from './records.ts';
import { saidJoined, say } from './say-routing.ts';
import { tellArrival } from './tell-arrival.ts';
import { type Answering, enterQueue, writePlacements } from './write-placements.ts';

type Tx = Transaction<OrganizationScope>;

/** What became of the chats that were looked at. */
export interface Routed {
  placed: Placed[];
  /** Who answers them, by chat. */
  answering: Map<string, Answering>;
  /** Where those who wait stand, by chat. */
  places: Map<string, QueuePlace>;
}

export const aboutChat = (
  { organizationId }: OrganizationScope,
  { chatId, threadId, customerId, groupIds }: Pick<Waiting, 'chatId' | 'threadId' | 'customerId' | 'groupIds'>,
): InChat => ({ organizationId, chatId, threadId, customerId, groupIds });

const tellStatuses = (tx: Tx, before: Floor, after: Floor): void => {
  const known = new Map(groupStatuses(before).map(({ id, status }) => [id, status]));
  const groups = groupStatuses(after).filter(({ id, status }) => known.get(id) !== status);
  if (groups.length > 0) tx.emit({ type: 'group_statuses_changed', organizationId: tx.organizationId, groups });
};

/** At once, so that no push of a long queue is too large for a socket or for the bus. */
const MAX_POSITIONS_ANNOUNCED = 200;

const isSame = (one: QueuePlace | undefined, other: QueuePlace): boolean =>
  one?.position === other.position && one.waitTime === other.waitTime;

/** Tells those who wait what changed for them. Whoever has just entered learns it with the rest of its chat. */
const tellPlaces = (tx: Tx, waiting: Waiting[], known: Map<string, QueuePlace>, places: Map<string, QueuePlace>) => {
  const moved = waiting.filter(
    ({ chatId, stayId }) => stayId !== undefined && !isSame(known.get(chatId), places.get(chatId)!),
  );
  const byGroups = Map.groupBy(moved, ({ groupIds }) => groupIds.join());
  for (const chats of byGroups.values()) {
    for (let at = 0; at < chats.length; at += MAX_POSITIONS_ANNOUNCED)
      tx.emit({
        type: 'queue_moved',
        organizationId: tx.organizationId,
        groupIds: chats[0]!.groupIds,
        places: chats.slice(at, at + MAX_POSITIONS_ANNOUNCED).map(({ chatId, threadId, customerId }) => ({
          ...{ chatId, threadId, customerId },
          queue: places.get(chatId)!,
        })),
      });
  }
};

/** A chat that waited is answered: everybody in it learns by whom. */
export const tellAnswered = async (tx: Tx, answered: { chat: Waiting; answering: Answering }[]): Promise<void> => {
  for (const { chat, answering } of answered) {
    const about = aboutChat(tx, chat);
    const { user, wasThere } = answering;
    if (!wasThere) tx.emit({ type: 'user_added', ...about, user, visibility: 'all', reason: 'assigned' });
    tx.emit({ type: 'chat_transferred', ...about, reason: 'assigned', to: { agentIds: [user.id] } });
  }
  const sayings = answered.filter(({ answering }) => !answering.wasThere);
  await say(
    tx,
    sayings.map(({ chat, answering }) => ({ about: aboutChat(tx, chat), said: saidJoined(answering.user.name) })),
  );
  for (const { chat, answering } of answered) await tellArrival(tx, aboutChat(tx, chat), answering);
};

const departuresOf = (placed: Placed[], leftAt: Date): RecentStay[] =>
  placed.flatMap(({ chat: { stayId, groupIds, enteredAt } }) =>
    stayId === undefined ? [] : [{ stayId, groupIds, enteredAt, leftAt }],
  );

/** Where they stood before: whoever waited then had not left, also if a person has chosen somebody for it by now. */
const placesBefore = ({ waiting }: Floor, recent: RecentStay[]): Map<string, QueuePlace> => {
  const waited = new Set(waiting.map(({ stayId }) => stayId));
  return placesOf(
    waiting,
    recent.filter(({ stayId }) => !waited.has(stayId)),
  );
};

/**
 * Under the turn: gives whatever waits on `after` to whoever has room, writes it, and tells what is different from
 * `before`. Chats without a stay have just come; those that find nobody enter the queue, and the caller tells of them.
 */
export const reroute = async (tx: Tx, before: Floor, after: Floor): Promise<Routed> => {
  // One moment for all of it: what is told now must be what is read later.
  const now = tx.now();
  const { placed, floor } = planQueue(after, now);
  const recent = floor.waiting.length > 0 ? await readRecentStays(tx) : [];
  const answering = await writePlacements(tx, placed, now);
  await enterQueue(
    tx,
    floor.waiting.filter(({ stayId }) => stayId === undefined),
  );
  const places = placesOf(floor.waiting, withDepartures(recent, departuresOf(placed, now)));
  tellStatuses(tx, before, floor);
  tellPlaces(tx, floor.waiting, placesBefore(before, recent), places);
  const waited = placed.filter(({ chat }) => chat.stayId !== undefined);
  await tellAnswered(
    tx,
    waited.map(({ chat }) => ({ chat, answering: answering.get(chat.chatId)! })),
  );
  return { placed, answering, places };
};

/** Does what may give somebody room or take it away; serves the queue and says which groups can answer now. */
export const rerouting = async <R>(tx: Tx, work: () => Promise<R>): Promise<R> => {
  const before = await openFloor(tx);
  const result = await work();
  await reroute(tx, before, await readFloor(tx));
  return result;
};

/** Whenever somebody may have room: gives out what waits. */
export const serveQueue = async (tx: Tx): Promise<void> => {
  const floor = await openFloor(tx);
  await reroute(tx, floor, floor);
};
