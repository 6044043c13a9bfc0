import { Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Empty, Int32, Nullable } from '../values.ts';
import { configurationQuery as query } from './query.ts';

const Minutes = (description: string) => Int32({ minimum: 0, maximum: 1440, description });

const IDLE = 'A chat without a word for this long is closed; 0: never';
const UNASSIGN = 'An agent who leaves a customer waiting this long loses the chat; 0 or null: never';
const ABANDON = 'A customer who is gone this long has left the queue; 0: never';

export const getGroupRouting = defineOperation({
  name: 'get_group_routing',
  method: 'POST',
  path: '/v3.5/configuration/action/get_group_routing',
  reads: true,
  summary: 'Who answers the chats of a group besides its own agents',
  query,
  body: Type.Object({ group_id: Int32() }),
  responses: {
    200: Type.Object({
      group_id: Int32(),
      fallback_group_id: Nullable(Int32({ description: 'Whose agents answer when nobody of the group takes chats' })),
      bots_first: Type.Boolean({ description: 'Bots answer before people do' }),
    }),
  },
});

export const updateGroupRouting = defineOperation({
  name: 'update_group_routing',
  method: 'POST',
  path: '/v3.5/configuration/action/update_group_routing',
  summary: 'Changes that; what is absent stays. Whoever waits is looked at again at once',
  query,
  body: Type.Object({
    group_id: Int32(),
    fallback_group_id: Type.Optional(Nullable(Int32({ description: 'null: none' }))),
    bots_first: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Empty },
});

export const getRoutingSettings = defineOperation({
  name: 'get_routing_settings',
  method: 'POST',
  path: '/v3.5/configuration/action/get_routing_settings',
  reads: true,
  summary: 'When chats are closed, taken away and given up',
  query,
  body: Type.Object({}),
  responses: {
    200: Type.Object({
      idle_close_minutes: Minutes(IDLE),
      unassign_minutes: Nullable(Minutes(UNASSIGN)),
      abandon_minutes: Minutes(ABANDON),
    }),
  },
});

export const updateRoutingSettings = defineOperation({
  name: 'update_routing_settings',
  method: 'POST',
  path: '/v3.5/configuration/action/update_routing_settings',
  summary: 'Changes that, for chats that go on as well; what is absent stays',
  query,
  body: Type.Object({
    idle_close_minutes: Type.Optional(Minutes(IDLE)),
    unassign_minutes: Type.Optional(Nullable(Minutes(UNASSIGN))),
    abandon_minutes: Type.Optional(Minutes(ABANDON)),
  }),
  responses: { 200: Empty },
});
