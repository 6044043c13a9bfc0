import { Type } from 'typebox';
import { GroupStatus } from '../chat/groups.ts';
import { Int32, Nullable } from '../values.ts';
import { customerAction } from './operation.ts';

export const listGroupStatuses = customerAction({
  name: 'list_group_statuses',
  summary: 'Where somebody can answer now',
  description:
    'One of `all` and `group_ids` is required; `all` wins. Groups that do not exist are left out. `online_for_queue`: somebody takes chats there, but nobody has room for one more.',
  body: Type.Object({
    all: Type.Optional(Nullable(Type.Boolean())),
    group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 1000 }))),
  }),
  responses: {
    200: Type.Object({ groups_status: Type.Record(Type.String({ description: 'The id of a group' }), GroupStatus) }),
  },
});

export const getPredictedAgent = customerAction({
  name: 'get_predicted_agent',
  summary: 'Who would answer if the customer started a chat now',
  description:
    'The customer must be logged in: with an open socket or an active chat, or with a token or a page view of the last minute.',
  body: Type.Object({ group_id: Type.Optional(Nullable(Int32({ description: 'Default 0: all agents' }))) }),
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
      queue: Type.Boolean({ description: 'The chat would have to wait' }),
    }),
  },
});
