import { Type } from 'typebox';
import { Int32, oneOf } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import * as value from './reports-values.ts';
import { Flag, jsonp, Login } from './values.ts';

const { dates, timezone, group, agent, groupBy, tag, goal, range, Count } = value;

const common = Type.Object({ ...dates, ...timezone, ...group, ...agent, ...groupBy, ...tag });

export const totalChats = chatOpsOperation({
  name: 'report_total_chats',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/total_chats',
  summary: 'Reports the number of chats, by their start',
  description: 'Chat reports include only chats that have ended.',
  query: common,
  responses: { 200: value.ByBucket(Type.Object({ chats: Count })) },
});

export const engagement = chatOpsOperation({
  name: 'report_engagement',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/engagement',
  summary: 'Reports how chats started: by a greeting, by the visitor or by an agent',
  query: common,
  responses: {
    200: value.ByBucket(
      Type.Object({
        chats_from_auto_invite: Count,
        chats_from_immediate_start: Count,
        chats_from_manual_invite: Count,
      }),
    ),
  },
});

export const notRepliedChats = chatOpsOperation({
  name: 'report_not_replied_chats',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/not_replied_chats',
  summary: 'Reports chats without a reply from an agent',
  query: Type.Object({
    ...dates,
    ...timezone,
    groups: Type.Optional(Type.Array(Int32(), { maxItems: 100, description: 'Chats of any of these groups' })),
    agents: Type.Optional(Type.Array(Login, { maxItems: 100, description: 'Chats with any of these agents' })),
    ...groupBy,
    ...tag,
  }),
  responses: { 200: value.ByBucket(Type.Object({ not_replied: Count })) },
});

export const chatRatings = chatOpsOperation({
  name: 'report_chat_ratings',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/ratings',
  summary: 'Reports chat ratings',
  query: common,
  responses: { 200: value.ByBucket(Type.Object({ ...range, bad: Count, good: Count, chats: Count })) },
});

export const chatRanking = chatOpsOperation({
  name: 'report_chat_ranking',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/ratings/ranking',
  summary: 'Ranks agents by the ratings of their chats',
  query: Type.Object({ ...dates, ...group, ...tag }),
  responses: { 200: value.Ranking },
});

const Queued = Type.Object({ count: Count });
const Waited = Type.Object({ seconds: value.Seconds });
const Waits = Type.Object({ count: Count, min: Waited, max: Waited, average: Waited });
const queue = Type.Object({ ...dates, ...timezone, ...group, ...groupBy });

export const queuedVisitors = chatOpsOperation({
  name: 'report_queued_visitors',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/queued_visitors',
  summary:
    'Reports queued visitors, and how many of them left the queue or got a chat, by the time they joined the queue',
  query: queue,
  responses: {
    200: value.ByBucket(Type.Object({ queued: Queued, left_queue: Queued, entered_chat: Queued })),
  },
});

export const waitingTimes = chatOpsOperation({
  name: 'report_waiting_times',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/queued_visitors/waiting_times',
  summary: 'Reports how long visitors waited in the queue',
  query: queue,
  responses: { 200: value.ByBucket(Type.Object({ queued: Waits, left_queue: Waits, entered_chat: Waits })) },
});

const Duration = Type.Object({
  hours: value.Hours,
  minutes: Type.Optional(Type.Number({ description: 'The duration in minutes; only in the hours of one day' })),
});

export const availability = chatOpsOperation({
  name: 'report_availability',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/availability',
  summary: 'Reports how long the agent, or any agent of the group or account, accepted chats',
  query: Type.Object({ ...dates, ...timezone, ...group, ...agent }),
  responses: { 200: value.ByBucket(Duration) },
});

export const chattingTime = chatOpsOperation({
  name: 'report_chatting_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/chatting_time',
  summary: 'Reports how much time agents spent on chats, by the start of the chats',
  query: Type.Object({ ...dates, ...group, ...agent, ...tag }),
  responses: { 200: value.ByBucket(Duration) },
});

const Average = Type.Object({ count: Count, seconds: value.Seconds });
const responses = Type.Object({ ...dates, ...group, ...agent, ...groupBy, ...tag });

export const chatFirstResponseTime = chatOpsOperation({
  name: 'report_chat_first_response_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/first_response_time',
  summary: 'Reports the average time until the first reply',
  query: responses,
  responses: { 200: value.ByBucket(Type.Object({ first_response_time: Average })) },
});

export const chatResponseTime = chatOpsOperation({
  name: 'report_chat_response_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/response_time',
  summary: 'Reports the average time until a reply',
  query: responses,
  responses: { 200: value.ByBucket(Type.Object({ avg_response_time: Average })) },
});

export const agentsOccupancy = chatOpsOperation({
  name: 'report_agents_occupancy',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/agents_occupancy',
  summary: 'Reports the maximum number of concurrent chats for each hour of the last four such weekdays',
  query: Type.Object({ weekday: oneOf('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), ...jsonp }),
  responses: { 200: Type.Record(Type.String(), Count, { description: 'Keys are `YYYY-MM-DD HH:mm`' }) },
});

export const goals = chatOpsOperation({
  name: 'report_goals',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/goals',
  summary: 'Reports reached goals and sales',
  query: Type.Object({
    ...dates,
    ...timezone,
    ...group,
    ...goal,
    ...agent,
    ...groupBy,
    ...tag,
    sales_tracker: Type.Optional(Flag('1: only tracked sales; 0 (default): only goals')),
    currency: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Includes only sales in this currency', examples: ['EUR'] }),
    ),
  }),
  responses: {
    200: value.ByBucket(
      Type.Object({
        ...range,
        goals: Count,
        value: Type.Record(Type.String(), Type.Object({ sales_count: Count, value: Type.Number() }), {
          description: 'Sales by currency',
        }),
      }),
    ),
  },
});

export const greetings = chatOpsOperation({
  name: 'report_greetings',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/greetings',
  summary: 'Reports shown greetings and their outcome',
  query: Type.Object({
    ...dates,
    ...timezone,
    ...group,
    ...goal,
    greeting: Type.Optional(Int32({ description: 'A greeting id' })),
    ...groupBy,
    ...tag,
  }),
  responses: { 200: value.ByBucket(Type.Object({ ...range, displayed: Count, accepted: Count, goals: Count })) },
});

export const reportOperations = [
  ...[totalChats, engagement, notRepliedChats, chatRatings, chatRanking, queuedVisitors, waitingTimes],
  ...[availability, chattingTime, chatFirstResponseTime, chatResponseTime, agentsOccupancy, goals, greetings],
];
