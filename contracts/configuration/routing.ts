import { Type } from 'typebox';
import { Empty, Int32, Nullable } from '../values.ts';
import { configurationAction } from './operation.ts';

const Minutes = (description: string) => Int32({ minimum: 0, maximum: 1440, description });

const IDLE = 'A chat without messages is closed after this many minutes; 0: never';
const UNASSIGN = 'A chat is reassigned if the agent does not reply for this many minutes; 0 or null: never';
const ABANDON = 'A disconnected customer leaves the queue after this many minutes; 0: never';

export const getGroupRouting = configurationAction({
  name: 'get_group_routing',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Returns the routing settings of a group',
  body: Type.Object({ group_id: Int32() }),
  responses: {
    200: Type.Object({
      group_id: Int32(),
      fallback_group_id: Nullable(
        Int32({ description: 'The group whose agents get the chats while no agent of this group accepts chats' }),
      ),
      bots_first: Type.Boolean({ description: 'Bots get chats before human agents' }),
    }),
  },
});

export const updateGroupRouting = configurationAction({
  name: 'update_group_routing',
  scopes: ['groups_write'],
  audit: true,
  summary: 'Updates the routing settings of a group; omitted fields stay unchanged. Waiting chats are routed again',
  body: Type.Object({
    group_id: Int32(),
    fallback_group_id: Type.Optional(Nullable(Int32({ description: 'null: no fallback group' }))),
    bots_first: Type.Optional(Type.Boolean()),
  }),
  responses: { 200: Empty },
});

export const getRoutingSettings = configurationAction({
  name: 'get_routing_settings',
  scopes: ['groups_read'],
  reads: true,
  summary: 'Returns the inactivity timeouts of chats',
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
  audit: true,
  summary: 'Updates the inactivity timeouts, also for active chats; omitted fields stay unchanged',
  body: Type.Object({
    idle_close_minutes: Type.Optional(Minutes(IDLE)),
    unassign_minutes: Type.Optional(Nullable(Minutes(UNASSIGN))),
    abandon_minutes: Type.Optional(Minutes(ABANDON)),
  }),
  responses: { 200: Empty },
});
