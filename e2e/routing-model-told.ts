import type { DomainEvent } from '#server/domain/events.ts';
import { connectSocket, type SocketClient } from '#server/testing/http/connect-socket.ts';
import { asCustomer, type ModelCustomer, type Shop, type Side } from './routing-model-shop.ts';

export interface ToldPlace {
  position: number;
  waitTime: number;
}

/** The state as seen by clients that have received all events since the start. */
export interface Told {
  /** Statuses by group, for each client. */
  statuses: Record<string, string>[];
  /** Queue positions by chat. */
  places: Map<string, ToldPlace>;
}

/** Observes the domain events on the bus. */
export const createTold = (statuses: Record<string, string>) => {
  const told: Told = { statuses: [{ ...statuses }], places: new Map() };
  const hear = (event: DomainEvent): void => {
    if (event.type === 'group_statuses_changed')
      for (const { id, status } of event.groups) told.statuses[0]![id] = status;
    if (event.type === 'queue_positions_changed')
      for (const { chatId, queue } of event.positions) told.places.set(chatId, queue);
    if (event.type === 'chat_started' && event.chat.thread?.queue)
      told.places.set(event.chatId, event.chat.thread.queue);
    if (event.type === 'chat_transferred' && event.queue) told.places.set(event.chatId, event.queue);
    if (event.type === 'chat_deactivated' || (event.type === 'chat_transferred' && !event.queue))
      told.places.delete(event.chatId);
  };
  return { ...told, hear };
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

const toPlace = ({ position, wait_time: waitTime }: Queue): ToldPlace => ({ position, waitTime });

/** Applies a push received by one customer's socket. */
const listen = (statuses: Record<string, string>, places: Told['places'], { type, action, payload }: Push): void => {
  if (type !== 'push') return;
  const place = (chatId: string, queue: Queue | undefined): void =>
    void (queue ? places.set(chatId, toPlace(queue)) : places.delete(chatId));
  if (action === 'groups_status_updated') for (const { id, status } of payload.groups) statuses[id] = status;
  if (action === 'incoming_chat') place(payload.chat.id, payload.chat.thread.queue);
  if (action === 'queue_position_updated' || action === 'chat_transferred') place(payload.chat_id, payload.queue);
  if (action === 'chat_deactivated') places.delete(payload.chat_id);
};

/** Observes pushes on the sockets of all customers, half of them on each process. */
export const openEars = async (shop: Shop) => {
  const places: Told['places'] = new Map();
  const statuses: Told['statuses'] = shop.customers.map(() => ({}));
  const sockets: SocketClient[] = [];
  const connect = async (customer: ModelCustomer, at: number): Promise<void> => {
    const side: Side = shop.sides[at % 2]!;
    const client = await connectSocket(`${side.url}/v3.5/customer/rtm/ws?organization_id=${shop.organizationId}`);
    client.socket.on('message', (data) => listen(statuses[at]!, places, JSON.parse(String(data))));
    const login = await client.request('login', { token: `Bearer ${customer.token}` });
    if (!login.success) throw new Error(`a login failed: ${JSON.stringify(login.payload)}`);
    sockets[at] = client;
    const { body } = await asCustomer(shop, side, customer, 'list_group_statuses', { all: true });
    Object.assign(statuses[at]!, body.groups_status);
    for (const { id, open } of shop.chats.filter((chat) => chat.customer === customer)) {
      const { body: chat } = await asCustomer(shop, side, customer, 'get_chat', { chat_id: id });
      if (open && chat.thread.queue) places.set(id, toPlace(chat.thread.queue));
    }
  };
  for (const [at, customer] of shop.customers.entries()) await connect(customer, at);
  return {
    ...{ statuses, places },
    /** Reconnects the customers of a process after its restart. */
    listenAgain: async (side: number): Promise<void> => {
      for (const [at, customer] of shop.customers.entries()) if (at % 2 === side) await connect(customer, at);
    },
    close: (): void => {
      for (const { socket } of sockets) socket.terminate();
    },
  };
};
