import { type Static, Type } from 'typebox';
import { Email, Int32, Name, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { Flag, GroupIds, jsonp, Login, Result, UnixSeconds } from './values.ts';

const Permission = oneOf('owner', 'administrator', 'normal');
const LoginStatus = oneOf('accepting chats', 'not accepting chats');
const Status = oneOf('accepting chats', 'not accepting chats', 'offline');

export const AgentSummary = Type.Object({
  name: Type.String(),
  permission: Permission,
  avatar: Type.String({ description: 'A path; empty if there is no picture' }),
  login: Login,
  status: Status,
});
export type AgentSummary = Static<typeof AgentSummary>;

const Notifications = Type.Object(
  {
    new_visitor: Flag(),
    incoming_chat: Flag(),
    returning_visitor: Flag(),
    queued_visitor: Flag(),
    visitor_is_typing: Flag(),
    new_goal: Flag(),
  },
  { description: 'Either all six or none' },
);
export type Notifications = Static<typeof Notifications>;

const Time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$|^24:00$', examples: ['09:00'] });
const WorkDay = Type.Object({ enabled: Flag(), start: Time, end: Time });

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
type Weekday = (typeof WEEKDAYS)[number];

const weekOf = <S>(day: S) => Object.fromEntries(WEEKDAYS.map((name) => [name, day])) as Record<Weekday, S>;

const WorkScheduler = Type.Object(weekOf(WorkDay), { description: 'In the agent’s time zone; enterprise plan only' });
export type WorkScheduler = Static<typeof WorkScheduler>;

export const Agent = Type.Object({
  ...AgentSummary.properties,
  job_title: Type.String(),
  login_status: LoginStatus,
  daily_summary: Flag(),
  notifications: Notifications,
  max_chats_count: Int32(),
  groups: Type.Array(Type.Object({ id: Int32(), name: Type.String() })),
  last_logout: UnixSeconds,
  api_key: Type.Optional(Type.String({ description: 'Present only in requests that are authenticated with this key' })),
  work_scheduler: Type.Optional(WorkScheduler),
});
export type Agent = Static<typeof Agent>;

const params = Type.Object({ login: Login });

const Password = Type.String({ minLength: 5, maxLength: 1024 });
const MaxChats = Int32({ maximum: 1000 });

export const listAgents = chatOpsOperation({
  name: 'list_agents',
  scopes: ['agents_read'],
  method: 'GET',
  path: '/agents',
  summary: 'Lists agents',
  query: Type.Object({ status: Type.Optional(Status), ...jsonp }),
  responses: { 200: Type.Array(AgentSummary) },
});

export const getAgent = chatOpsOperation({
  name: 'get_agent',
  scopes: ['agents_read'],
  method: 'GET',
  path: '/agents/:login',
  summary: 'Returns an agent',
  params,
  query: Type.Object(jsonp),
  responses: { 200: Agent },
});

export const createAgent = chatOpsOperation({
  name: 'create_agent',
  scopes: ['agents_write'],
  method: 'POST',
  path: '/agents',
  audit: true,
  summary: 'Creates an agent; without a password, the agent gets an email with a link to set one',
  body: Type.Object({
    login: Email(),
    name: Name(),
    job_title: Type.Optional(Name()),
    login_status: Type.Optional(LoginStatus),
    password: Type.Optional(Password),
    permission: Type.Optional(oneOf('administrator', 'normal')),
    groups: Type.Optional(GroupIds),
    notifications: Type.Optional(Notifications),
    daily_summary: Type.Optional(Flag()),
    max_chats_count: Type.Optional(MaxChats),
  }),
  responses: { 200: Agent },
});

export const updateAgent = chatOpsOperation({
  name: 'update_agent',
  scopes: ['agents_write'],
  method: 'PUT',
  path: '/agents/:login',
  audit: true,
  summary: 'Updates an agent',
  description:
    'Agents who are not administrators may only change their own password, name, job title, daily summary, notifications, login status and status.',
  params,
  body: Type.Object({
    name: Type.Optional(Name()),
    job_title: Type.Optional(Name()),
    login_status: Type.Optional(LoginStatus),
    password: Type.Optional(Password),
    current_password: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: 'The password of the agent who makes the request; required to change a password',
      }),
    ),
    permission: Type.Optional(Permission),
    status: Type.Optional(Status),
    groups: Type.Optional(GroupIds),
    notifications: Type.Optional(Notifications),
    daily_summary: Type.Optional(Flag()),
    max_chats_count: Type.Optional(MaxChats),
    work_scheduler: Type.Optional(
      Type.Partial(WorkScheduler, { description: 'Omitted days stay unchanged; enterprise plan only' }),
    ),
  }),
  responses: { 200: Agent },
});

const resetFields = {
  path: '/agents/:login/reset_api_key',
  audit: true,
  summary: 'Creates a new API key for the agent and revokes the previous one',
  params,
  responses: { 200: Agent },
} as const;

export const resetApiKey = chatOpsOperation({
  name: 'reset_api_key',
  scopes: ['agents_write'],
  method: 'POST',
  ...resetFields,
});

export const resetApiKeyByPut = chatOpsOperation({
  name: 'reset_api_key_by_put',
  scopes: ['agents_write'],
  method: 'PUT',
  ...resetFields,
});

export const deleteAgent = chatOpsOperation({
  name: 'delete_agent',
  scopes: ['agents_write'],
  method: 'DELETE',
  path: '/agents/:login',
  audit: true,
  summary: 'Deletes an agent; the agent’s chats stay in the archive',
  params,
  responses: { 200: Result },
});

export const agentOperations = [
  listAgents,
  getAgent,
  createAgent,
  updateAgent,
  resetApiKey,
  resetApiKeyByPut,
  deleteAgent,
];
