import type { Json } from '../customer/call.ts';

/** The objects that example requests refer to. */
export interface Example {
  chat_id: string;
  thread_id: string;
  /** A rich message in the chat with the button `buy`. */
  event_id: string;
  customerId: string;
  /** A customer without a chat. */
  visitorId: string;
  /** The agent who sends the request. */
  self: string;
}

/** `chat`: only for agents who can see the chat. `customer`, `own`: for every agent of the organization. */
export type About = 'chat' | 'customer' | 'own';

export interface Operation {
  name: string;
  about: About;
  /** Allowed with an expired license. */
  reads?: boolean;
  /** The requester must be in the chat. */
  inside?: boolean;
  /** Needs its own chat: an open one that it will close, or a closed one. */
  fresh?: 'open' | 'closed';
  payload(example: Example): Json;
}

const inThread = ({ chat_id, thread_id }: Example) => ({ chat_id, thread_id });
const onEvent = ({ event_id, ...rest }: Example) => ({ ...inThread({ event_id, ...rest }), event_id });
const self = ({ self, chat_id }: Example) => ({ chat_id, user_id: self, user_type: 'agent' });
const rating = { rating: { score: 1 } };
const score = { rating: ['score'] };
const fields = [{ cart: '3' }];

/** Every operation of the agent API except `upload_file`, whose body is a form. */
export const operations: Operation[] = [
  { name: 'list_chats', about: 'own', reads: true, payload: () => ({ limit: 5 }) },
  { name: 'list_threads', about: 'chat', reads: true, payload: ({ chat_id }) => ({ chat_id }) },
  { name: 'get_chat', about: 'chat', reads: true, payload: inThread },
  { name: 'list_archives', about: 'own', reads: true, payload: () => ({ filters: {} }) },
  {
    name: 'start_chat',
    about: 'customer',
    payload: ({ customerId }) => ({ chat: { users: [{ id: customerId, type: 'customer' }] } }),
  },
  { name: 'resume_chat', about: 'chat', fresh: 'closed', payload: ({ chat_id }) => ({ chat: { id: chat_id } }) },
  {
    name: 'deactivate_chat',
    about: 'chat',
    inside: true,
    fresh: 'open',
    payload: ({ chat_id }) => ({ id: chat_id }),
  },
  { name: 'follow_chat', about: 'chat', payload: ({ chat_id }) => ({ id: chat_id }) },
  { name: 'unfollow_chat', about: 'chat', payload: ({ chat_id }) => ({ id: chat_id }) },
  {
    name: 'transfer_chat',
    about: 'chat',
    payload: ({ chat_id, self }) => ({ id: chat_id, target: { type: 'agent', ids: [self] } }),
  },
  { name: 'add_user_to_chat', about: 'chat', payload: (one) => ({ ...self(one), visibility: 'all' }) },
  { name: 'remove_user_from_chat', about: 'chat', inside: true, payload: self },
  {
    name: 'send_event',
    about: 'chat',
    payload: ({ chat_id }) => ({ chat_id, event: { type: 'message', text: 'Can I help?' } }),
  },
  {
    name: 'send_rich_message_postback',
    about: 'chat',
    inside: true,
    payload: (one) => ({ ...onEvent(one), postback: { id: 'buy', toggled: true } }),
  },
  { name: 'send_typing_indicator', about: 'chat', payload: ({ chat_id }) => ({ chat_id, is_typing: true }) },
  {
    name: 'mark_events_as_seen',
    about: 'chat',
    inside: true,
    payload: ({ chat_id }) => ({ chat_id, seen_up_to: '2026-01-01T00:00:00.000000Z' }),
  },
  { name: 'update_chat_properties', about: 'chat', payload: ({ chat_id }) => ({ id: chat_id, properties: rating }) },
  { name: 'delete_chat_properties', about: 'chat', payload: ({ chat_id }) => ({ id: chat_id, properties: score }) },
  { name: 'update_thread_properties', about: 'chat', payload: (one) => ({ ...inThread(one), properties: rating }) },
  { name: 'delete_thread_properties', about: 'chat', payload: (one) => ({ ...inThread(one), properties: score }) },
  { name: 'update_event_properties', about: 'chat', payload: (one) => ({ ...onEvent(one), properties: rating }) },
  { name: 'delete_event_properties', about: 'chat', payload: (one) => ({ ...onEvent(one), properties: score }) },
  { name: 'tag_thread', about: 'chat', payload: (one) => ({ ...inThread(one), tag: 'vip' }) },
  { name: 'untag_thread', about: 'chat', payload: (one) => ({ ...inThread(one), tag: 'vip' }) },
  { name: 'get_customer', about: 'customer', reads: true, payload: ({ customerId: id }) => ({ id }) },
  { name: 'list_customers', about: 'own', reads: true, payload: () => ({ limit: 5 }) },
  { name: 'create_customer', about: 'own', payload: () => ({ name: 'Ann' }) },
  { name: 'update_customer', about: 'customer', payload: ({ customerId: id }) => ({ id, name: 'Ann' }) },
  { name: 'ban_customer', about: 'customer', payload: ({ visitorId: id }) => ({ id, ban: { days: 1 } }) },
  { name: 'unban_customer', about: 'customer', payload: ({ visitorId: id }) => ({ id }) },
  {
    name: 'set_customer_session_fields',
    about: 'customer',
    payload: ({ customerId: id }) => ({ id, session_fields: fields }),
  },
  { name: 'follow_customer', about: 'customer', payload: ({ customerId: id }) => ({ id }) },
  { name: 'unfollow_customer', about: 'customer', payload: ({ customerId: id }) => ({ id }) },
  { name: 'set_routing_status', about: 'own', payload: () => ({ status: 'not_accepting_chats' }) },
  { name: 'list_routing_statuses', about: 'own', reads: true, payload: () => ({}) },
  { name: 'logout_agent', about: 'own', payload: ({ self: agent_id }) => ({ agent_id }) },
  { name: 'list_agents_for_transfer', about: 'chat', reads: true, payload: ({ chat_id }) => ({ chat_id }) },
  { name: 'list_assignments', about: 'chat', reads: true, payload: ({ chat_id }) => ({ chat_id }) },
  {
    name: 'multicast',
    about: 'own',
    payload: () => ({ recipients: { agents: { groups: [99] } }, content: { a: 1 } }),
  },
];
