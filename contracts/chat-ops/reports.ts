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
  summary: 'How many chats there were, by when they started',
  description: 'Reports of chats count those that have ended.',
  query: common,
  responses: { 200: value.ByBucket(Type.Object({ chats: Count })) },
});

export const engagement = chatOpsOperation({
  name: 'report_engagement',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/engagement',
  summary: 'How chats began: by a greeting, by the visitor, or by an agent',
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
  summary: 'Chats in which no agent said a word',
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
  summary: 'How chats were rated',
  query: common,
  responses: { 200: value.ByBucket(Type.Object({ ...range, bad: Count, good: Count, chats: Count })) },
});

export const chatRanking = chatOpsOperation({
  name: 'report_chat_ranking',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/ratings/ranking',
  summary: 'Agents by the ratings of their chats',
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
  summary: 'Who waited in the queue, who left it and who came to chat, by when they came',
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
  summary: 'How long visitors waited in the queue',
  query: queue,
  responses: { 200: value.ByBucket(Type.Object({ queued: Waits, left_queue: Waits, entered_chat: Waits })) },
});

const Duration = Type.Object({
  hours: value.Hours,
  minutes: Type.Optional(Type.Number({ description: 'The same in minutes, by hours of one day' })),
});

export const availability = chatOpsOperation({
  name: 'report_availability',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/availability',
  summary: 'How long the agent, or anybody of the group or the account, was accepting chats',
  query: Type.Object({ ...dates, ...timezone, ...group, ...agent }),
  responses: { 200: value.ByBucket(Duration) },
});

export const chattingTime = chatOpsOperation({
  name: 'report_chatting_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/chatting_time',
  summary: 'How much time agents spent on chats, by when the chats started',
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
  summary: 'How long visitors waited for the first answer, on the average',
  query: responses,
  responses: { 200: value.ByBucket(Type.Object({ first_response_time: Average })) },
});

export const chatResponseTime = chatOpsOperation({
  name: 'report_chat_response_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/response_time',
  summary: 'How long visitors waited for an answer, on the average',
  query: responses,
  responses: { 200: value.ByBucket(Type.Object({ avg_response_time: Average })) },
});

export const agentsOccupancy = chatOpsOperation({
  name: 'report_agents_occupancy',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/agents_occupancy',
  summary: 'The most chats at once, in each hour of the last four such weekdays',
  query: Type.Object({ weekday: oneOf('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'), ...jsonp }),
  responses: { 200: Type.Record(Type.String(), Count, { description: 'By `YYYY-MM-DD HH:mm`' }) },
});

export const goals = chatOpsOperation({
  name: 'report_goals',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/chats/goals',
  summary: 'Goals that were reached, and what was sold',
  query: Type.Object({
    ...dates,
    ...timezone,
    ...group,
    ...goal,
    ...agent,
    ...groupBy,
    ...tag,
    sales_tracker: Type.Optional(Flag('1: only tracked sales; 0, the default: only goals')),
    currency: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{3}$', description: 'Shows sales in this currency alone', examples: ['EUR'] }),
    ),
  }),
  responses: {
    200: value.ByBucket(
      Type.Object({
        ...range,
        goals: Count,
        value: Type.Record(Type.String(), Type.Object({ sales_count: Count, value: Type.Number() }), {
          description: 'What was sold, by currency',
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
  summary: 'Greetings that were displayed, and what came of them',
  query: Type.Object({
    ...dates,
    ...timezone,
    ...group,
    ...goal,
    greeting: Type.Optional(Int32({ description: 'The id of a greeting' })),
    ...groupBy,
    ...tag,
  }),
  responses: { 200: value.ByBucket(Type.Object({ ...range, displayed: Count, accepted: Count, goals: Count })) },
});

export const reportOperations = [
  ...[totalChats, engagement, notRepliedChats, chatRatings, chatRanking, queuedVisitors, waitingTimes],
  ...[availability, chattingTime, chatFirstResponseTime, chatResponseTime, agentsOccupancy, goals, greetings],
];
