import { Type } from 'typebox';
import { Nullable } from '../values.ts';
import { chatOpsOperation } from './operation.ts';
import { agent, ByBucket, Count, dates, group, groupBy, Ranking, range, tag, timezone } from './reports-values.ts';

const created = Type.Object({ ...dates, ...timezone, ...group, ...groupBy, ...tag });
const handled = Type.Object({ ...dates, ...timezone, ...agent, ...group, ...groupBy, ...tag });
const Times = Type.Object({
  count: Count,
  hours: Nullable(Type.Number({ description: 'Average in decimal hours; `null` if there is no value' })),
});

export const newTickets = chatOpsOperation({
  name: 'report_new_tickets',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/new_tickets',
  summary: 'Reports the number of new tickets',
  description: 'Ticket reports exclude spam and merged tickets.',
  query: created,
  responses: { 200: ByBucket(Type.Object({ new_tickets: Count })) },
});

export const ticketFirstResponseTime = chatOpsOperation({
  name: 'report_ticket_first_response_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/first_response_time',
  summary: 'Reports the average time until the first reply, by the time of the reply',
  query: handled,
  responses: { 200: ByBucket(Times) },
});

export const solvedTickets = chatOpsOperation({
  name: 'report_solved_tickets',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/solved_tickets',
  summary: 'Reports the number of solved tickets',
  query: handled,
  responses: { 200: ByBucket(Type.Object({ solved_tickets: Count })) },
});

export const resolutionTime = chatOpsOperation({
  name: 'report_resolution_time',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/resolution_time',
  summary: 'Reports the average time until a ticket is solved, by the time of the solution',
  query: handled,
  responses: { 200: ByBucket(Times) },
});

export const ticketSources = chatOpsOperation({
  name: 'report_ticket_sources',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/ticket_sources',
  summary: 'Reports the sources of tickets',
  query: created,
  responses: {
    200: ByBucket(Type.Object({ tickets_from_chat_window: Count, tickets_from_mail: Count, tickets_from_chat: Count })),
  },
});

export const ticketRatings = chatOpsOperation({
  name: 'report_ticket_ratings',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/ratings',
  summary: 'Reports ticket ratings, by the time of the rating',
  query: handled,
  responses: { 200: ByBucket(Type.Object({ ...range, bad: Count, good: Count })) },
});

export const ticketRanking = chatOpsOperation({
  name: 'report_ticket_ranking',
  scopes: ['reports_read'],
  method: 'GET',
  path: '/reports/tickets/ratings/ranking',
  summary: 'Ranks agents by the ratings of their tickets',
  query: Type.Object({ ...dates, ...group, ...tag }),
  responses: { 200: Ranking },
});

export const ticketReportOperations = [
  ...[newTickets, ticketFirstResponseTime, solvedTickets, resolutionTime, ticketSources, ticketRatings, ticketRanking],
];
