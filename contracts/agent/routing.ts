import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';

const TargetId = Type.Union([Int32(), Type.String({ minLength: 1, maxLength: 320 })]);

export const transferChat = agentAction({
  name: 'transfer_chat',
  scopes: ['archives_write'],
  summary: 'Gives an active chat to another agent or to a group',
  description:
    'In a group the chat is given to whoever has room, or waits there before all others. Without a target it goes to somebody else of its groups. To take a chat over, transfer it to yourself.',
  body: Type.Object({
    id: ChatId,
    target: Type.Optional(
      Nullable(
        Type.Object({
          type: oneOf('agent', 'group'),
          ids: Type.Array(TargetId, { minItems: 1, maxItems: 100, description: 'Logins, or numbers of groups' }),
        }),
      ),
    ),
    ignore_agents_availability: Type.Optional(
      Nullable(
        Type.Boolean({
          description:
            'Absent: an agent’s status does not matter but its limit does. True: neither does. False: both do, and a group where nobody takes chats is refused',
        }),
      ),
    ),
    ignore_requester_presence: Type.Optional(
      Nullable(Type.Boolean({ description: 'Administrators may transfer any chat, so it changes nothing' })),
    ),
    reason: Type.Optional(
      Nullable(Type.String({ maxLength: 256, description: 'Told to everybody; default `manual`' })),
    ),
  }),
  responses: { 200: Type.Object({}) },
});

export const listAgentsForTransfer = agentAction({
  name: 'list_agents_for_transfer',
  scopes: ['agents_read'],
  reads: true,
  summary: 'Who takes chats and has room for this one, the least busy first',
  body: Type.Object({ chat_id: ChatId }),
  responses: {
    200: Type.Array(Type.Object({ agent_id: Type.String(), total_active_chats: Int32() })),
  },
});

const Candidate = Type.Object({
  agent_id: Type.String(),
  open: Int32({ description: 'Chats it was answering' }),
  limit: Int32({ description: 'Chats it may answer at once' }),
  last_assigned_at: Type.Optional(Timestamp),
});

const Assignment = Type.Object({
  id: Int32(),
  thread_id: Type.String(),
  agent_id: Type.String(),
  rule: Type.String({
    description:
      '`only_candidate`, `lowest_load`, `longest_waiting`, `login_order`, `bot_first`, `transferred`, `taken_over` or `started`',
  }),
  group_ids: Type.Array(Int32()),
  assigned_at: Timestamp,
  ended_at: Type.Optional(Timestamp),
  candidates: Type.Array(Candidate),
});

export const listAssignments = agentAction({
  name: 'list_assignments',
  scopes: ['archives_read'],
  reads: true,
  summary: 'Why these agents: who answered a chat in turn, who else could have, and what decided',
  body: Type.Object({ chat_id: ChatId, thread_id: Type.Optional(Nullable(ChatId)) }),
  responses: { 200: Type.Object({ assignments: Type.Array(Assignment) }) },
});
