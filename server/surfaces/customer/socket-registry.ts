import type { DisconnectReason } from '#contracts/chat/frames.ts';
import type { Context } from '#server/context.ts';
import type { Browser } from '#server/domain/access.ts';
import { CREDENTIALS_TOPIC, type DomainEvent, readEvent } from '#server/domain/events.ts';
import { openOrganizationScope } from '#server/domain/scope.ts';
import type { CustomerCredential } from '#server/domain/support/customers/identify.ts';
import { disconnectCustomer, extendOnline } from '#server/domain/support/visits/presence.ts';
import { createLimiter } from '#server/realtime/create-limiter.ts';
import { pushToAll } from '#server/realtime/push.ts';
import { disconnect, type Session } from '#server/realtime/session.ts';
import { audiencesOf, presentPush } from '#server/surfaces/chat-v3/chat-pushes.ts';
import type { ChatPresenter } from '#server/surfaces/chat-v3/present-chat.ts';
import { partsOf } from '#server/surfaces/chat-v3/routing-pushes.ts';
import { presentTo } from './present.ts';

export interface CustomerIdentity extends CustomerCredential {
  authorization: string;
  browser: Browser;
}

export type CustomerSession = Session<CustomerIdentity>;

interface Room {
  customers: Map<string, Set<CustomerSession>>;
  leave(): void;
}

/** Why a customer must be disconnected, if so. */
export type DisconnectReasonOf = (session: CustomerSession) => Promise<DisconnectReason | undefined>;

/** Tabs of one browser. */
const MAX_SOCKETS = 10;
const MAX_CONCURRENT_CHECKS = 4;
const SWEEPS_PER_MINUTE = 12;

/** The least recently active socket, which is most likely abandoned. */
const leastActive = (sessions: Set<CustomerSession>): CustomerSession =>
  [...sessions].reduce((most, one) => (one.silentSweeps > most.silentSweeps ? one : most));

const recipientsOf = ({ customers }: Room, event: DomainEvent): Iterable<CustomerSession> => {
  const audiences = audiencesOf(event);
  if (audiences.includes('customers')) return [...customers.values()].flatMap((sessions) => [...sessions]);
  if (!audiences.includes('customer') || !('customerId' in event)) return [];
  return customers.get(event.customerId ?? '') ?? [];
};

type Visiting = Extract<DomainEvent, { type: 'customer_page_updated' | 'customer_updated' }>;

/** Events that can trigger a greeting. Customers who are logging in are checked after the response to the login. */
const canTriggerGreeting = ({ customers }: Room, event: DomainEvent): event is Visiting =>
  (event.type === 'customer_page_updated' || event.type === 'customer_updated') &&
  [...(customers.get(event.customerId) ?? [])].some(({ isLoggingIn }) => !isLoggingIn);

/** The customers' sockets of this process by organization. Each receives the events of its own chats. */
export const openSocketRegistry = (
  { ports: { bus }, realtime: { feeds, greeter }, log, metrics, services }: Context,
  disconnectReasonOf: DisconnectReasonOf,
) => {
  const rooms = new Map<string, Room>();
  const limit = createLimiter(MAX_CONCURRENT_CHECKS);
  let sweeps = 0;
  const systemScope = (organizationId: string) => openOrganizationScope(services, { kind: 'system' }, organizationId);
  const warn = (error: unknown): void => log.warn({ err: error }, 'customer presence could not be saved');

  const push = (room: Room, present: ChatPresenter, event: DomainEvent): void => {
    const count = pushToAll(recipientsOf(room, event), event, () => presentPush(present, event));
    if (count > 0) metrics.pushes.inc({ surface: 'customer' }, count);
    if (canTriggerGreeting(room, event)) greeter.check(event);
  };

  const open = (organizationId: string): Room => {
    const present = presentTo({ organizationId, services });
    const room: Room = {
      customers: new Map(),
      leave: feeds.follow(organizationId, (event) => {
        for (const part of partsOf(event)) push(room, present, part);
      }),
    };
    rooms.set(organizationId, room);
    return room;
  };

  const check = async (session: CustomerSession): Promise<void> => {
    const reason = await limit(() => disconnectReasonOf(session));
    if (reason) disconnect(session, reason);
  };

  const checkAll = ({ customers }: Room): void => {
    for (const sessions of customers.values()) for (const session of sessions) void check(session);
  };

  bus.subscribe(CREDENTIALS_TOPIC, (text) => {
    const event = readEvent(text as string);
    const room = 'organizationId' in event ? rooms.get(event.organizationId) : undefined;
    if (room) checkAll(room);
  });
  bus.onGap(() => rooms.forEach(checkAll));

  return {
    /** Once a minute, refreshes the presence of connected customers. */
    sweep: (): void => {
      if (++sweeps % SWEEPS_PER_MINUTE !== 0) return;
      for (const [organizationId, { customers }] of rooms) {
        void limit(() => extendOnline(systemScope(organizationId), [...customers.keys()])).catch(warn);
      }
    },
    join: (session: CustomerSession): void => {
      const { organizationId, customerId } = session.identity!;
      const { customers } = rooms.get(organizationId) ?? open(organizationId);
      const sessions = customers.get(customerId) ?? new Set();
      if (sessions.size >= MAX_SOCKETS) {
        const other = leastActive(sessions);
        sessions.delete(other);
        disconnect(other, 'too_many_connections');
      }
      customers.set(customerId, sessions.add(session));
      greeter.enter({ organizationId, customerId });
    },
    leave: (session: CustomerSession): void => {
      if (!session.identity) return;
      const { organizationId, customerId } = session.identity;
      const room = rooms.get(organizationId);
      const sessions = room?.customers.get(customerId);
      if (!room || !sessions?.delete(session) || sessions.size > 0) return;
      room.customers.delete(customerId);
      greeter.leave({ organizationId, customerId });
      void disconnectCustomer(systemScope(organizationId), customerId).catch(warn);
      if (room.customers.size > 0) return;
      room.leave();
      rooms.delete(organizationId);
    },
  };
};
