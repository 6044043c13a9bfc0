import { Type } from 'typebox';
import { GroupStatus } from '../chat/groups.ts';
import { Int32, Nullable } from '../values.ts';
import { customerAction } from './operation.ts';

export const listGroupStatuses = customerAction({
  name: 'list_group_statuses',
  summary: 'Returns the status of groups',
  description:
    'Either `all` or `group_ids` is required; `all` takes precedence. Groups that do not exist are omitted. `online_for_queue` means that agents accept chats but none has free capacity.',
  body: Type.Object({
    all: Type.Optional(Nullable(Type.Boolean())),
    group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 1000 }))),
  }),
  responses: {
    200: Type.Object({ groups_status: Type.Record(Type.String({ description: 'A group id' }), GroupStatus) }),
  },
});

export const getPredictedAgent = customerAction({
  name: 'get_predicted_agent',
  summary: 'Returns the agent who would get a chat if the customer started one now',
  description:
    'The customer must be logged in: with an open socket or an active chat, or with a token or a page view from the last minute.',
  body: Type.Object({
    group_id: Type.Optional(Nullable(Int32({ description: 'Default 0, the group of all agents' }))),
  }),
  responses: {
    200: Type.Object({
      agent: Type.Object({
        id: Type.String(),
        name: Type.String(),
        avatar: Type.String(),
        is_bot: Type.Boolean(),
        job_title: Type.String(),
        type: Type.Literal('agent'),
      }),
      queue: Type.Boolean({ description: 'Whether the chat would be queued' }),
    }),
  },
});
