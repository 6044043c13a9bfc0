import * as contract from '#contracts/chat-ops/reports-tickets.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { rankByTickets } from '#server/domain/support/reports/rankings.ts';
import { reportBy, reportOver } from '#server/domain/support/reports/report.ts';
import {
  sumNewTickets,
  sumTicketRatings,
  sumTicketTimes,
  type TicketFilters,
  type TicketTimes,
} from '#server/domain/support/reports/tickets.ts';
import { type Route, route } from '#server/http/route.ts';
import { presentBuckets, presentRanking, readReportQuery, toHours } from './present-reports.ts';

const agentRoute = route<OrganizationScope>();

const reportNew = reportBy(sumNewTickets);
const reportAnswered = reportBy((scope, period, filters: TicketFilters) =>
  sumTicketTimes(scope, period, filters, 'answered'),
);
const reportSolved = reportBy((scope, period, filters: TicketFilters) =>
  sumTicketTimes(scope, period, filters, 'solved'),
);
const reportRatings = reportBy(sumTicketRatings);
const reportRanking = reportOver(rankByTickets);

const presentTimes = ({ count, milliseconds }: TicketTimes) => ({
  count,
  hours: milliseconds === undefined ? null : toHours(milliseconds),
});

export const ticketReportRoutes: Route<OrganizationScope>[] = [
  agentRoute(contract.newTickets, async ({ query, scope }) =>
    presentBuckets(await reportNew(scope, readReportQuery(query)), ({ count }) => ({ new_tickets: count })),
  ),
  agentRoute(contract.ticketFirstResponseTime, async ({ query, scope }) =>
    presentBuckets(await reportAnswered(scope, readReportQuery(query)), presentTimes),
  ),
  agentRoute(contract.solvedTickets, async ({ query, scope }) =>
    presentBuckets(await reportSolved(scope, readReportQuery(query)), ({ count }) => ({ solved_tickets: count })),
  ),
  agentRoute(contract.resolutionTime, async ({ query, scope }) =>
    presentBuckets(await reportSolved(scope, readReportQuery(query)), presentTimes),
  ),
  agentRoute(contract.ticketSources, async ({ query, scope }) =>
    presentBuckets(await reportNew(scope, readReportQuery(query)), ({ fromChatWindow, fromMail, fromChat }) => ({
      tickets_from_chat_window: fromChatWindow,
      tickets_from_mail: fromMail,
      tickets_from_chat: fromChat,
    })),
  ),
  agentRoute(contract.ticketRatings, async ({ query, scope }) =>
    presentBuckets(await reportRatings(scope, readReportQuery(query)), ({ bad, good }, range) => ({
      ...range,
      ...{ bad, good },
    })),
  ),
  agentRoute(contract.ticketRanking, async ({ query, scope }) => {
    return presentRanking(await reportRanking(scope, readReportQuery(query)));
  }),
];
