import { Type } from 'typebox';
import { ChatId } from '../chat/chats.ts';
import { Int32, Nullable, oneOf, Timestamp } from '../values.ts';
import { agentAction } from './operation.ts';

const TargetId = Type.Union([Int32(), Type.String({ minLength: 1, maxLength: 320 })]);

export const transferChat = agentAction({
  name: 'transfer_chat',
  scopes: ['archives_write'],
  summary: 'Transfers an active chat to another agent or to a group',
  description:
    'In a group, the chat is assigned to an agent with free capacity, or waits at the front of the queue. Without a target, another agent of its groups gets the chat. To take over a chat, transfer it to yourself.',
  body: Type.Object({
    id: ChatId,
    target: Type.Optional(
      Nullable(
        Type.Object({
          type: oneOf('agent', 'group'),
          ids: Type.Array(TargetId, { minItems: 1, maxItems: 100, description: 'Logins or group ids' }),
        }),
      ),
    ),
    ignore_agents_availability: Type.Optional(
      Nullable(
        Type.Boolean({
          description:
            'If absent, the target agent’s status is ignored but the chat limit applies. True ignores both. False checks both, and rejects a group without agents who accept chats',
        }),
      ),
    ),
    ignore_requester_presence: Type.Optional(
      Nullable(Type.Boolean({ description: 'No effect: administrators may transfer any chat' })),
    ),
    reason: Type.Optional(
      Nullable(Type.String({ maxLength: 256, description: 'Shown to all participants; default `manual`' })),
    ),
  }),
  responses: { 200: Type.Object({}) },
});

export const listAgentsForTransfer = agentAction({
  name: 'list_agents_for_transfer',
  scopes: ['agents_read'],
  reads: true,
  summary: 'Lists agents who accept chats and have capacity for this one, least busy first',
  body: Type.Object({ chat_id: ChatId }),
  responses: {
    200: Type.Array(Type.Object({ agent_id: Type.String(), total_active_chats: Int32() })),
  },
});

const Candidate = Type.Object({
  agent_id: Type.String(),
  open: Int32({ description: 'Number of active chats' }),
  limit: Int32({ description: 'Maximum number of concurrent chats' }),
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
  summary: 'Lists the assignments of a chat with the candidates and the reason for each decision',
  body: Type.Object({ chat_id: ChatId, thread_id: Type.Optional(Nullable(ChatId)) }),
  responses: { 200: Type.Object({ assignments: Type.Array(Assignment) }) },
});
