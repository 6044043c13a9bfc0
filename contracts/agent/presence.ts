import { Type } from 'typebox';
import { Empty, Int32, Nullable, oneOf } from '../values.ts';
import { agentAction } from './operation.ts';

export const RoutingStatus = oneOf('accepting_chats', 'not_accepting_chats', 'offline');

const Login = Type.String({ minLength: 1, maxLength: 254, description: 'The login' });

export const setRoutingStatus = agentAction({
  name: 'set_routing_status',
  scopes: ['agents_write'],
  summary: 'Sets the routing status of an agent',
  description:
    'Agents may set their own status; administrators and the owner may set any. The status stays until it is set again or the last connection has been closed for 30 seconds. The chats of an agent who goes offline are assigned to other agents.',
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
  summary: 'Lists the routing statuses of agents',
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
  summary: 'Closes all connections of an agent and sets the agent offline',
  description:
    'Administrators and the owner may log out any agent; other agents only themselves. Each connection first receives `agent_disconnected` with the reason `logged_out_remotely`.',
  body: Type.Object({ agent_id: Login }),
  responses: { 200: Empty },
});
