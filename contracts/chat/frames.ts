import { type Static, Type } from 'typebox';
import { Nullable, oneOf } from '../values.ts';
import { Chat } from './chats.ts';
import { errorTypes } from './error.ts';
import { Event } from './events.ts';

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

/** The payload of each push, by its action. */
export const pushes = {
  incoming_chat: Type.Object({ requester_id: Type.String(), chat: Chat }),
  incoming_event: Type.Object({ chat_id: Type.String(), thread_id: Type.String(), event: Event }),
  chat_deactivated: Type.Object({
    chat_id: Type.String(),
    thread_id: Type.String(),
    user_id: Type.Optional(Type.String({ description: 'Absent when no user closed it' })),
  }),
};
export type PushAction = keyof typeof pushes;
export type Push = { [A in PushAction]: { action: A; payload: Static<(typeof pushes)[A]> } }[PushAction];
