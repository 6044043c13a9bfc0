import { type Static, Type } from 'typebox';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { Chat } from './chats.ts';
import { Customer, SessionFields } from './customers.ts';
import { errorTypes } from './error.ts';
import { Event, Properties, PropertyNames } from './events.ts';
import { Greeting } from './greetings.ts';
import { GroupStatus } from './groups.ts';

/** What travels over the sockets of the chat APIs v3.5, customers' and agents' alike. */
export const PROTOCOL_VERSION = '3.5';

/** Some clients number their requests instead of naming them; whatever it is comes back as it was. */
const RequestId = Type.Union([Type.String({ maxLength: 256 }), Type.Number()]);
const Payload = Type.Record(Type.String(), Type.Unknown());

export const RequestFrame = Type.Object({
  request_id: Type.Optional(Nullable(RequestId)),
  action: Type.String({ minLength: 1, maxLength: 100 }),
  payload: Type.Optional(Nullable(Payload)),
  version: Type.Optional(Nullable(Type.String({ maxLength: 20, description: 'Absent: the version of the address' }))),
});
export type RequestFrame = Static<typeof RequestFrame>;

export const ResponseFrame = Type.Object({
  request_id: Type.Optional(RequestId),
  action: Type.String({ description: 'Empty when the request could not be read' }),
  type: Type.Literal('response'),
  success: Type.Boolean(),
  payload: Payload,
});
export type ResponseFrame = Static<typeof ResponseFrame>;

export const PushFrame = Type.Object({
  version: Type.Literal(PROTOCOL_VERSION),
  action: Type.String(),
  type: Type.Literal('push'),
  payload: Payload,
  request_id: Type.Optional(RequestId),
});
export type PushFrame = Static<typeof PushFrame>;

/** The payload of a response without success. */
export const FrameError = Type.Object({
  error: Type.Object({
    type: oneOf(...errorTypes, 'pending_requests_limit_reached'),
    message: Type.String(),
    data: Type.Optional(Type.Object({ region: Type.Optional(Type.String()) })),
  }),
});
export type FrameError = Static<typeof FrameError>;

/** Which pushes a login asks for, by version. Names that we do not know are passed over; absent: all. */
export const Subscription = Type.Record(Type.String(), Nullable(Type.Array(Type.String({ maxLength: 100 }))));

/** Why a socket is closed from our side. */
export const disconnectReasons = [
  'access_token_expired',
  'access_token_revoked',
  'connection_evicted',
  'connection_timeout',
  'customer_banned',
  'internal_error',
  'license_expired',
  'license_not_found',
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

/** The payload of each push, by its action. */
export const pushes = {
  customer_updated: Customer,
  customer_session_fields_updated: Type.Object({
    id: Type.String(),
    active_chat: Type.Object({ chat_id: Type.String(), thread_id: Type.String() }),
    session_fields: SessionFields,
  }),
  groups_status_updated: Type.Object({ groups: Type.Array(Type.Object({ id: Int32(), status: GroupStatus })) }),
  agent_disconnected: Disconnected,
  customer_disconnected: Disconnected,
  incoming_chat: Type.Object({ requester_id: Type.String(), chat: Chat }),
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
  incoming_event: Type.Object({ chat_id: Type.String(), thread_id: Type.String(), event: Event }),
  chat_deactivated: Type.Object({
    chat_id: Type.String(),
    thread_id: Type.String(),
    user_id: Type.Optional(Type.String({ description: 'Absent when no user closed it' })),
  }),
};
export type PushAction = keyof typeof pushes;
export type Push = { [A in PushAction]: { action: A; payload: Static<(typeof pushes)[A]> } }[PushAction];
