import { Type } from 'typebox';
import { Empty, Int32, Nullable } from '../values.ts';
import { configurationAction } from './operation.ts';

const Minutes = (description: string) => Int32({ minimum: 0, maximum: 1440, description });

const IDLE = 'A chat without a word for this long is closed; 0: never';
const UNASSIGN = 'An agent who leaves a customer waiting this long loses the chat; 0 or null: never';
const ABANDON = 'A customer who is gone this long has left the queue; 0: never';

export const getGroupRouting = configurationAction({
  name: 'get_group_routing',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Who answers the chats of a group besides its own agents',
  body: Type.Object({ group_id: Int32() }),
  responses: {
    200: Type.Object({
      group_id: Int32(),
      fallback_group_id: Nullable(Int32({ description: 'Whose agents answer when nobody of the group takes chats' })),
      bots_first: Type.Boolean({ description: 'Bots answer before people do' }),
    }),
  },
});

export const updateGroupRouting = configurationAction({
  name: 'update_group_routing',
  scopes: ['groups_write'],
  summary: 'Changes that; what is absent stays. Whoever waits is looked at again at once',
  body: Type.Object({
    group_id: Int32(),
    fallback_group_id: Type.Optional(Nullable(Int32({ description: 'null: none' }))),
    bots_first: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Empty },
});

export const getRoutingSettings = configurationAction({
  name: 'get_routing_settings',
  scopes: ['groups_read'],
  reads: true,
  summary: 'When chats are closed, taken away and given up',
  body: Type.Object({}),
  responses: {
    200: Type.Object({
      idle_close_minutes: Minutes(IDLE),
      unassign_minutes: Nullable(Minutes(UNASSIGN)),
      abandon_minutes: Minutes(ABANDON),
    }),
  },
});

export const updateRoutingSettings = configurationAction({
  name: 'update_routing_settings',
  scopes: ['groups_write'],
  summary: 'Changes that, for chats that go on as well; what is absent stays',
  body: Type.Object({
    idle_close_minutes: Type.Optional(Minutes(IDLE)),
    unassign_minutes: Type.Optional(Nullable(Minutes(UNASSIGN))),
    abandon_minutes: Type.Optional(Minutes(ABANDON)),
  }),
  responses: { 200: Empty },
});
