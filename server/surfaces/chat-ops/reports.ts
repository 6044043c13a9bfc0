import * as contract from '#contracts/chat-ops/reports.ts';
import type { OrganizationScope } from '#server/domain/scope.ts';
import { sumAvailability } from '#server/domain/support/reports/availability.ts';
import { sumChats } from '#server/domain/support/reports/chat-sums.ts';
import { sumGoals } from '#server/domain/support/reports/goals.ts';
import { sumGreetings } from '#server/domain/support/reports/greetings.ts';
import { countNotReplied } from '#server/domain/support/reports/not-replied.ts';
import { readOccupancy } from '#server/domain/support/reports/occupancy.ts';
import { sumQueue, type Waits } from '#server/domain/support/reports/queue.ts';
import { rankByChats } from '#server/domain/support/reports/rankings.ts';
import { reportBy, reportOver } from '#server/domain/support/reports/report.ts';
import { type Route, route } from '#server/http/route.ts';
import {
  presentBuckets,
  presentDurations,
  presentRanking,
  readPeriod,
  readReportQuery,
  toSeconds,
} from './present-reports.ts';

const agentRoute = route<OrganizationScope>();

const reportChats = reportBy(sumChats);
const reportQueue = reportBy(sumQueue);
const reportAvailability = reportBy(sumAvailability);
const reportNotReplied = reportBy(countNotReplied);
const reportGoals = reportBy(sumGoals);
const reportGreetings = reportBy(sumGreetings);
const reportRanking = reportOver(rankByChats);

const presentAverage = (count: number, milliseconds: number) => ({
  count,
  seconds: toSeconds(count > 0 ? milliseconds / count : undefined),
});

const presentWaits = ({ count, milliseconds }: Waits) => ({
  count,
  min: { seconds: toSeconds(milliseconds?.min) },
  max: { seconds: toSeconds(milliseconds?.max) },
  average: { seconds: toSeconds(milliseconds?.average) },
});

const presentSales = (sales: Record<string, { count: number; value: number }>) =>
  Object.fromEntries(
    Object.entries(sales).map(([currency, { count, value }]) => [currency, { sales_count: count, value }]),
  );

const aboutChats: Route<OrganizationScope>[] = [
  agentRoute(contract.totalChats, async ({ query, scope }) =>
    presentBuckets(await reportChats(scope, readReportQuery(query)), ({ chats }) => ({ chats })),
  ),
  agentRoute(contract.engagement, async ({ query, scope }) =>
    presentBuckets(await reportChats(scope, readReportQuery(query)), ({ chats, autoInvites, manualInvites }) => ({
      chats_from_auto_invite: autoInvites,
      chats_from_immediate_start: chats - autoInvites - manualInvites,
      chats_from_manual_invite: manualInvites,
    })),
  ),
  agentRoute(contract.notRepliedChats, async ({ query, scope }) => {
    const agentIds = query.agents?.map((login) => login.toLowerCase());
    const input = { period: readPeriod(query), groupIds: query.groups, agentIds, tag: query.tag };
    return presentBuckets(await reportNotReplied(scope, input), (not_replied) => ({ not_replied }));
  }),
  agentRoute(contract.chatRatings, async ({ query, scope }) =>
    presentBuckets(await reportChats(scope, readReportQuery(query)), ({ bad, good, chats }, range) => ({
      ...range,
      ...{ bad, good, chats },
    })),
  ),
  agentRoute(contract.chatRanking, async ({ query, scope }) => {
    return presentRanking(await reportRanking(scope, readReportQuery(query)));
  }),
  agentRoute(contract.chattingTime, async ({ query, scope }) => {
    const reported = await reportChats(scope, readReportQuery(query));
    return presentDurations(reported.map(({ bucket, sums }) => ({ bucket, sums: sums.chattingMs })));
  }),
  agentRoute(contract.chatFirstResponseTime, async ({ query, scope }) =>
    presentBuckets(await reportChats(scope, readReportQuery(query)), ({ firstResponses, firstResponseMs }) => ({
      first_response_time: presentAverage(firstResponses, firstResponseMs),
    })),
  ),
  agentRoute(contract.chatResponseTime, async ({ query, scope }) =>
    presentBuckets(await reportChats(scope, readReportQuery(query)), ({ responses, responseMs }) => ({
      avg_response_time: presentAverage(responses, responseMs),
    })),
  ),
];

const aboutQueue: Route<OrganizationScope>[] = [
  agentRoute(contract.queuedVisitors, async ({ query, scope }) =>
    presentBuckets(await reportQueue(scope, readReportQuery(query)), (sums) => ({
      queued: { count: sums.queued.count },
      left_queue: { count: sums.leftQueue.count },
      entered_chat: { count: sums.enteredChat.count },
    })),
  ),
  agentRoute(contract.waitingTimes, async ({ query, scope }) =>
    presentBuckets(await reportQueue(scope, readReportQuery(query)), (sums) => ({
      queued: presentWaits(sums.queued),
      left_queue: presentWaits(sums.leftQueue),
      entered_chat: presentWaits(sums.enteredChat),
    })),
  ),
];

const aboutAgents: Route<OrganizationScope>[] = [
  agentRoute(contract.availability, async ({ query, scope }) => {
    return presentDurations(await reportAvailability(scope, readReportQuery(query)));
  }),
  agentRoute(contract.agentsOccupancy, async ({ query, scope }) =>
    Object.fromEntries((await readOccupancy(scope, query)).map(({ key, maxChats }) => [key, maxChats])),
  ),
];

const aboutVisitors: Route<OrganizationScope>[] = [
  agentRoute(contract.goals, async ({ query, scope }) => {
    const sale = { sales: query.sales_tracker === 1, currency: query.currency };
    const reported = await reportGoals(scope, { ...readReportQuery(query), goalId: query.goal, ...sale });
    return presentBuckets(reported, ({ goals, sales }, range) => ({ ...range, goals, value: presentSales(sales) }));
  }),
  agentRoute(contract.greetings, async ({ query, scope }) => {
    const { group: groupId, goal: goalId, greeting: greetingId, tag } = query;
    const input = { period: readPeriod(query), groupId, goalId, greetingId, tag };
    return presentBuckets(await reportGreetings(scope, input), (sums, range) => ({ ...range, ...sums }));
  }),
];

export const reportRoutes: Route<OrganizationScope>[] = [
  ...aboutChats,
  ...aboutQueue,
  ...aboutAgents,
  ...aboutVisitors,
];
