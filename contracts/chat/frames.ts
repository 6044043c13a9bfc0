import { type Static, Type } from 'typebox';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { Access, Chat, Queue, User } from './chats.ts';
import { Customer, CustomerDetails, SessionFields, VisitedPage } from './customers.ts';
import { ErrorData, errorTypes } from './error.ts';
import { Event, Properties, PropertyNames } from './events.ts';
import { Greeting } from './greetings.ts';
import { GroupStatus } from './groups.ts';

/** Frames of the sockets of the chat APIs v3.5, for customers and agents. */
export const PROTOCOL_VERSION = '3.5';

/** Some clients send numbers instead of strings. The id is returned unchanged. */
const RequestId = Type.Union([Type.String({ maxLength: 256 }), Type.Number()]);
const Payload = Type.Record(Type.String(), Type.Unknown());

export const RequestFrame = Type.Object({
  request_id: Type.Optional(Nullable(RequestId)),
  action: Type.String({ minLength: 1, maxLength: 100 }),
  payload: Type.Optional(Nullable(Payload)),
  version: Type.Optional(Nullable(Type.String({ maxLength: 20, description: 'Defaults to the version in the URL' }))),
});
export type RequestFrame = Static<typeof RequestFrame>;

export const ResponseFrame = Type.Object({
  request_id: Type.Optional(RequestId),
  action: Type.String({ description: 'Empty if the request could not be parsed' }),
  type: Type.Literal('response'),
  success: Type.Boolean(),
  payload: Type.Union([Payload, Type.Array(Type.Unknown())]),
});
export type ResponseFrame = Static<typeof ResponseFrame>;

export const PushFrame = Type.Object({
  version: Type.Literal(PROTOCOL_VERSION),
  action: Type.String(),
  type: Type.Literal('push'),
  payload: Type.Union([Payload, Type.Array(Payload)]),
  request_id: Type.Optional(RequestId),
});
export type PushFrame = Static<typeof PushFrame>;

/** The payload of an unsuccessful response. */
export const FrameError = Type.Object({
  error: Type.Object({
    type: oneOf(...errorTypes, 'pending_requests_limit_reached'),
    message: Type.String(),
    data: Type.Optional(ErrorData),
  }),
});
export type FrameError = Static<typeof FrameError>;

/** The pushes a login subscribes to, by version. Unknown names are ignored; if absent, all pushes are sent. */
export const Subscription = Type.Record(Type.String(), Nullable(Type.Array(Type.String({ maxLength: 100 }))));

/** Why the server closes a socket. */
export const disconnectReasons = [
  'access_token_expired',
  'access_token_revoked',
  'connection_evicted',
  'connection_timeout',
  'customer_banned',
  'internal_error',
  'license_expired',
  'license_not_found',
  'logged_out_remotely',
  'misdirected_connection',
  'product_version_changed',
  'service_temporarily_unavailable',
  'too_many_connections',
] as const;
export type DisconnectReason = (typeof disconnectReasons)[number];

const Disconnected = Type.Object({ reason: oneOf(...disconnectReasons) });

const inChat = { chat_id: Type.String() };
const inThread = { ...inChat, thread_id: Type.String() };
const onEvent = { ...inThread, event_id: Type.String() };

const change = {
  reason: Type.String(),
  requester_id: Type.Optional(Type.String({ description: 'Absent if the recipient cannot see who did it' })),
};

const Target = Type.Object({
  group_ids: Type.Optional(Type.Array(Int32())),
  agent_ids: Type.Optional(Type.Array(Type.String())),
});

const QueuePosition = Type.Object({
  ...inThread,
  queue: Type.Object({ position: Int32(), wait_time: Int32({ description: 'Seconds' }) }),
});

/** The payload of each push, by its action. */
export const pushes = {
  customer_updated: Customer,
  incoming_customer: Type.Object({ customer: CustomerDetails }),
  customer_visit_started: Type.Object({ customer: CustomerDetails }),
  customer_visit_ended: Type.Object({ customer_id: Type.String() }),
  customer_page_updated: Type.Object({ customer_id: Type.String(), page: VisitedPage }),
  customer_banned: Type.Object({
    customer_id: Type.Optional(Type.String()),
    ip: Type.Optional(Type.String({ description: 'Set if an IP address was banned instead of a customer' })),
    ban: Type.Object({ days: Int32() }),
  }),
  customer_unfollowed: Type.Object({ customer_id: Type.String() }),
  customer_session_fields_updated: Type.Object({
    id: Type.String(),
    active_chat: Type.Object({ chat_id: Type.String(), thread_id: Type.String() }),
    session_fields: SessionFields,
  }),
  groups_status_updated: Type.Object({ groups: Type.Array(Type.Object({ id: Int32(), status: GroupStatus })) }),
  agent_disconnected: Disconnected,
  routing_status_set: Type.Object({
    agent_id: Type.String(),
    status: oneOf('accepting_chats', 'not_accepting_chats', 'offline'),
  }),
  customer_disconnected: Disconnected,
  incoming_chat: Type.Object({
    requester_id: Type.Optional(Type.String({ description: 'Absent if no user started it' })),
    chat: Chat,
    transferred_from: Type.Optional(Target),
  }),
  chat_properties_updated: Type.Object({ ...inChat, properties: Properties }),
  chat_properties_deleted: Type.Object({ ...inChat, properties: PropertyNames }),
  thread_properties_updated: Type.Object({ ...inThread, properties: Properties }),
  thread_properties_deleted: Type.Object({ ...inThread, properties: PropertyNames }),
  event_properties_updated: Type.Object({ ...onEvent, properties: Properties }),
  event_properties_deleted: Type.Object({ ...onEvent, properties: PropertyNames }),
  incoming_rich_message_postback: Type.Object({
    user_id: Type.String(),
    ...onEvent,
    postback: Type.Object({ id: Type.String(), toggled: Type.Boolean() }),
  }),
  incoming_sneak_peek: Type.Object({
    ...inThread,
    sneak_peek: Type.Object({
      author_id: Type.String(),
      text: Type.String(),
      timestamp: Type.Integer({ description: 'Unix seconds' }),
    }),
  }),
  events_marked_as_seen: Type.Object({ user_id: Type.String(), ...inChat, seen_up_to: Timestamp }),
  incoming_greeting: Greeting,
  greeting_accepted: Type.Object({ unique_id: Type.String() }),
  greeting_canceled: Type.Object({ unique_id: Type.String() }),
  chat_transferred: Type.Object({
    ...inThread,
    ...change,
    transferred_to: Target,
    queue: Type.Optional(Queue),
  }),
  chat_access_updated: Type.Object({ id: Type.String(), access: Access }),
  queue_position_updated: QueuePosition,
  queue_positions_updated: Type.Array(QueuePosition),
  user_added_to_chat: Type.Object({
    ...inThread,
    user: User,
    user_type: oneOf('customer', 'agent'),
    ...change,
  }),
  user_removed_from_chat: Type.Object({
    ...inThread,
    user_id: Type.String(),
    user_type: oneOf('customer', 'agent'),
    ...change,
  }),
  chat_unfollowed: Type.Object(inChat),
  thread_tagged: Type.Object({ ...inThread, tag: Type.String() }),
  thread_untagged: Type.Object({ ...inThread, tag: Type.String() }),
  incoming_typing_indicator: Type.Object({
    ...inThread,
    typing_indicator: Type.Object({
      author_id: Type.String(),
      visibility: oneOf('all', 'agents'),
      recipients: oneOf('all', 'agents'),
      timestamp: Type.Integer({ description: 'Unix seconds' }),
      is_typing: Type.Boolean(),
    }),
  }),
  incoming_multicast: Type.Object({
    author_id: Type.String(),
    type: Type.String(),
    content: Type.Record(Type.String(), Type.Unknown()),
  }),
  ticket_created: Type.Object({ ticket_id: Type.String(), subject: Type.String() }),
  ticket_changed: Type.Object({ ticket_id: Type.String() }),
  incoming_event: Type.Object({ chat_id: Type.String(), thread_id: Type.String(), event: Event }),
  chat_deactivated: Type.Object({
    chat_id: Type.String(),
    thread_id: Type.String(),
    user_id: Type.Optional(Type.String({ description: 'Absent if no user closed it' })),
  }),
};
export type PushAction = keyof typeof pushes;
export type Push = { [A in PushAction]: { action: A; payload: Static<(typeof pushes)[A]> } }[PushAction];
