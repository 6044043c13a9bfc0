import { type Static, Type } from 'typebox';
import { defineOperation } from '../operation.ts';
import { Int32, oneOf } from '../values.ts';
import { Flag, jsonp, Login, UnixSeconds } from './values.ts';

const Permission = oneOf('owner', 'administrator', 'normal');
const LoginStatus = oneOf('accepting chats', 'not accepting chats');
const Status = oneOf('accepting chats', 'not accepting chats', 'offline');

export const AgentSummary = Type.Object({
  name: Type.String(),
  permission: Permission,
  avatar: Type.String({ description: 'A path; empty without a picture' }),
  login: Login,
  status: Status,
});
export type AgentSummary = Static<typeof AgentSummary>;

const Notifications = Type.Object({
  new_visitor: Flag(),
  incoming_chat: Flag(),
  returning_visitor: Flag(),
  queued_visitor: Flag(),
  visitor_is_typing: Flag(),
  new_goal: Flag(),
});

export const Agent = Type.Object({
  ...AgentSummary.properties,
  job_title: Type.String(),
  login_status: LoginStatus,
  daily_summary: Flag(),
  notifications: Notifications,
  max_chats_count: Int32(),
  groups: Type.Array(Type.Object({ id: Int32(), name: Type.String() })),
  last_logout: UnixSeconds,
  api_key: Type.Optional(Type.String({ description: 'Only when an agent reads itself' })),
});
export type Agent = Static<typeof Agent>;

export const listAgents = defineOperation({
  name: 'list_agents',
  method: 'GET',
  path: '/agents',
  summary: 'All agents in short',
  query: Type.Object({ status: Type.Optional(Status), ...jsonp }),
  responses: { 200: Type.Array(AgentSummary) },
});

export const getAgent = defineOperation({
  name: 'get_agent',
  method: 'GET',
  path: '/agents/:login',
  summary: 'One agent in full',
  params: Type.Object({ login: Login }),
  query: Type.Object(jsonp),
  responses: { 200: Agent },
});
