import { type Static, Type } from 'typebox';
import { Int32, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { jsonp, UnixSeconds } from './values.ts';

const OneVisitor = Type.Object({
  visitor_id: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Chosen by the caller; must be unique and should be hard to guess',
  }),
});

const license = { licence_id: Int32({ minimum: 1, description: 'The license number of the account' }) };
const session = { ...license, secured_session_id: Type.String({ minLength: 1, maxLength: 128 }) };

const Success = Type.Object({ success: Type.Boolean() });

const Agent = Type.Object({ avatar: Type.String(), job_title: Type.String(), name: Type.String() });

export const PendingItem = Type.Object({
  message_id: Int32({ description: 'Increases with every message' }),
  timestamp: UnixSeconds,
  type: oneOf('agent_details', 'message', 'event'),
  user_type: oneOf('agent', 'visitor'),
  text: Type.Optional(Type.String()),
  agent: Type.Optional(Agent),
  event_type: Type.Optional(Type.Literal('closed', { description: 'Only with type `event`: the chat has ended' })),
});
export type PendingItem = Static<typeof PendingItem>;

export const startVisitorChat = chatOpsOperation({
  name: 'start_visitor_chat',
  rateLimit: 'visitor_chat_start',
  method: 'POST',
  path: '/visitors/:visitor_id/chat/start',
  audit: false,
  summary: 'Starts a chat without a widget, or a new session for an active chat',
  description:
    'Continues the active chat of `secured_session_id`; with an agent’s credential, the visitor’s active chat. Otherwise it starts a separate chat. A session that starts during an active chat receives messages from then on. It is valid for 30 days; other sessions of the same visitor stay valid.',
  public: true,
  params: OneVisitor,
  body: Type.Object({
    ...license,
    welcome_message: Type.String({ minLength: 1, maxLength: 1024, description: 'The visitor’s first message' }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Default `Client`' })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    group: Type.Optional(Int32({ minimum: 0 })),
    secured_session_id: Type.Optional(
      Type.String({ maxLength: 128, description: 'An earlier session of this visitor, to continue its chat' }),
    ),
  }),
  responses: {
    200: Type.Object({
      secured_session_id: Type.String({ description: 'Empty if the visitor is banned' }),
      banned: Type.Boolean(),
    }),
  },
});

export const getPendingMessages = chatOpsOperation({
  name: 'get_pending_messages',
  rateLimit: 'visitor_chat',
  method: 'GET',
  path: '/visitors/:visitor_id/chat/get_pending_messages',
  summary: 'Lists messages after a given message; the parameters may also be sent in a body',
  public: true,
  params: OneVisitor,
  query: Type.Object({
    ...session,
    last_message_id: Type.Optional(Int32({ minimum: 0, description: 'Returns only newer messages; default: all' })),
    ...jsonp,
  }),
  responses: { 200: Type.Object({ events: Type.Array(PendingItem) }) },
});

export const sendVisitorMessage = chatOpsOperation({
  name: 'send_visitor_message',
  rateLimit: 'visitor_chat',
  method: 'POST',
  path: '/visitors/:visitor_id/chat/send_message',
  audit: false,
  summary: 'Sends a message to the chat',
  public: true,
  params: OneVisitor,
  body: Type.Object({ ...session, message: Type.String({ minLength: 1, maxLength: 16384 }) }),
  responses: { 200: Success },
});

export const closeVisitorChat = chatOpsOperation({
  name: 'close_visitor_chat',
  rateLimit: 'visitor_chat',
  method: 'POST',
  path: '/visitors/:visitor_id/chat/close',
  audit: false,
  summary: 'Ends the chat; `success` is false if it had already ended',
  public: true,
  params: OneVisitor,
  body: Type.Object(session),
  responses: { 200: Success },
});

export const visitorChatOperations = [startVisitorChat, getPendingMessages, sendVisitorMessage, closeVisitorChat];
