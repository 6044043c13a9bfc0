import { Type } from 'typebox';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { agentAction } from './operation.ts';

export const RoutingStatus = oneOf('accepting_chats', 'not_accepting_chats', 'offline');

const Login = Type.String({ minLength: 1, maxLength: 254, description: 'The login' });

export const setRoutingStatus = agentAction({
  name: 'set_routing_status',
  scopes: ['agents_write'],
  summary: 'Whether an agent takes chats',
  description:
    'Agents set their own; administrators and the owner anybody’s. It holds with or without a connection, until it is set again or the last connection has been gone for 30 seconds. Whoever goes offline has its chats given to others.',
  body: Type.Object({
    status: RoutingStatus,
    agent_id: Type.Optional(Nullable(Login)),
  }),
  responses: { 200: Empty },
});

export const listRoutingStatuses = agentAction({
  name: 'list_routing_statuses',
  scopes: ['agents_read'],
  reads: true,
  summary: 'Who takes chats now',
  body: Type.Object({
    filters: Type.Optional(
      Nullable(Type.Object({ group_ids: Type.Optional(Nullable(Type.Array(Int32(), { maxItems: 100 }))) })),
    ),
  }),
  responses: { 200: Type.Array(Type.Object({ agent_id: Type.String(), status: RoutingStatus })) },
});

export const logoutAgent = agentAction({
  name: 'logout_agent',
  scopes: ['agents_write'],
  summary: 'Ends all connections of an agent, who is offline then',
  description:
    'For administrators and the owner; agents may do it to themselves. Each connection gets `agent_disconnected` with the reason `logged_out_remotely` first.',
  body: Type.Object({ agent_id: Login }),
  responses: { 200: Empty },
});
