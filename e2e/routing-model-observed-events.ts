import type { DomainEvent } from '#server/domain/events.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { asCustomer, type ModelCustomer, type Server, type Shop } from './routing-model-fixture.ts';

export interface QueuePosition {
  position: number;
  waitTime: number;
}

/** The state as seen by clients that have received all events since the start. */
export interface ObservedState {
  /** Statuses by group, for each client. */
  statuses: Record<string, string>[];
  /** Queue positions by chat. */
  queuePositions: Map<string, QueuePosition>;
}

/** Observes the domain events on the bus. */
export const createBusObserver = (statuses: Record<string, string>) => {
  const observed: ObservedState = { statuses: [{ ...statuses }], queuePositions: new Map() };
  const apply = (event: DomainEvent): void => {
    if (event.type === 'group_statuses_changed')
      for (const { id, status } of event.groups) observed.statuses[0]![id] = status;
    if (event.type === 'queue_positions_changed')
      for (const { chatId, queue } of event.positions) observed.queuePositions.set(chatId, queue);
    if (event.type === 'chat_started' && event.chat.thread?.queue)
      observed.queuePositions.set(event.chatId, event.chat.thread.queue);
    if (event.type === 'chat_transferred' && event.queue) observed.queuePositions.set(event.chatId, event.queue);
    if (event.type === 'chat_deactivated' || (event.type === 'chat_transferred' && !event.queue))
      observed.queuePositions.delete(event.chatId);
  };
  return { ...observed, apply };
};

interface Queue {
  position: number;
  wait_time: number;
}

interface Push {
  type: string;
  action: string;
  payload: {
    chat_id: string;
    queue?: Queue;
    chat: { id: string; thread: { queue?: Queue } };
    groups: { id: number; status: string }[];
  };
}

const toQueuePosition = ({ position, wait_time: waitTime }: Queue): QueuePosition => ({ position, waitTime });

/** Applies a push received by one customer's socket. */
const applyPush = (
  statuses: Record<string, string>,
  queuePositions: ObservedState['queuePositions'],
  { type, action, payload }: Push,
): void => {
  if (type !== 'push') return;
  const setPosition = (chatId: string, queue: Queue | undefined): void =>
    void (queue ? queuePositions.set(chatId, toQueuePosition(queue)) : queuePositions.delete(chatId));
  if (action === 'groups_status_updated') for (const { id, status } of payload.groups) statuses[id] = status;
  if (action === 'incoming_chat') setPosition(payload.chat.id, payload.chat.thread.queue);
  if (action === 'queue_position_updated' || action === 'chat_transferred') setPosition(payload.chat_id, payload.queue);
  if (action === 'chat_deactivated') queuePositions.delete(payload.chat_id);
};

/** Observes pushes on the sockets of all customers, half of them on each process. */
export const openSocketObserver = async (shop: Shop) => {
  const queuePositions: ObservedState['queuePositions'] = new Map();
  const statuses: ObservedState['statuses'] = shop.customers.map(() => ({}));
  const sockets: SocketClient[] = [];
  const connect = async (customer: ModelCustomer, at: number): Promise<void> => {
    const server: Server = shop.servers[at % 2]!;
    const client = await connectSocket(`${server.url}/v3.5/customer/rtm/ws?organization_id=${shop.organizationId}`);
    client.socket.on('message', (data) => applyPush(statuses[at]!, queuePositions, JSON.parse(String(data))));
    const login = await client.request('login', { token: `Bearer ${customer.token}` });
    if (!login.success) throw new Error(`login failed: ${JSON.stringify(login.payload)}`);
    sockets[at] = client;
    const { body } = await asCustomer(shop, server, customer, 'list_group_statuses', { all: true });
    Object.assign(statuses[at]!, body.groups_status);
    for (const { id, open } of shop.chats.filter((chat) => chat.customer === customer)) {
      const { body: chat } = await asCustomer(shop, server, customer, 'get_chat', { chat_id: id });
      if (open && chat.thread.queue) queuePositions.set(id, toQueuePosition(chat.thread.queue));
    }
  };
  for (const [at, customer] of shop.customers.entries()) await connect(customer, at);
  return {
    ...{ statuses, queuePositions },
    /** Reconnects the customers of a process after its restart. */
    reconnect: async (server: number): Promise<void> => {
      for (const [at, customer] of shop.customers.entries()) if (at % 2 === server) await connect(customer, at);
    },
    close: (): void => {
      for (const { socket } of sockets) socket.terminate();
    },
  };
};
