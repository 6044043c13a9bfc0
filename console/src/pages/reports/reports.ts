import * as chat from '#contracts/chat-ops/reports.ts';
import * as ticket from '#contracts/chat-ops/reports-tickets.ts';
import type { Operation, ResponseOf } from '#contracts/operation.ts';
import {
  asTableOnly,
  averageOf,
  countsOf,
  extremeOf,
  type ReportData,
  type Series,
  toReportData,
} from './report-data.ts';
import { t } from './t.ts';

export interface Report {
  id: string;
  title: string;
  about: string;
  /** Its query parameters determine the controls of the report. */
  operation: Operation;
  shape(answer: unknown): ReportData;
}

/** Types `shape` by the response of the operation. */
const define = <O extends Operation>(
  id: string,
  title: string,
  about: string,
  operation: O,
  shape: (answer: ResponseOf<O>) => ReportData,
): Report => ({ id, title, about, operation, shape: (answer) => shape(answer as ResponseOf<O>) });

interface Waits {
  count: number;
  min: { seconds: number | null };
  max: { seconds: number | null };
  average: { seconds: number | null };
}

const waitsOf = <T>(buckets: Record<string, T>, title: string, read: (bucket: T) => Waits): Series[] => [
  averageOf(buckets, title, 'seconds', (bucket) => ({
    count: read(bucket).count,
    value: read(bucket).average.seconds,
  })),
  extremeOf(buckets, t('titleShortest', { title }), Math.min, (bucket) => read(bucket).min.seconds),
  extremeOf(buckets, t('titleLongest', { title }), Math.max, (bucket) => read(bucket).max.seconds),
  ...countsOf(buckets, [[t('titleVisitors', { title }), (bucket) => read(bucket).count]]).map(asTableOnly),
];

/** An average with the number of measurements. */
const timesOf = <T>(
  buckets: Record<string, T>,
  unit: 'seconds' | 'hours',
  read: (bucket: T) => { count: number; value: number | null },
  measured: string,
): ReportData =>
  toReportData(buckets, [
    averageOf(buckets, t('average'), unit, read),
    ...countsOf(buckets, [[measured, (bucket) => read(bucket).count]]).map(asTableOnly),
  ]);

const rankingOf = ({ ranking }: ResponseOf<typeof chat.chatRanking>): ReportData => {
  const column = (title: string, read: (one: (typeof ranking)[number]) => number): Series => {
    const values = ranking.map(read);
    return { title, unit: 'count', values, total: values.reduce((total, value) => total + value, 0) };
  };
  const good: Series = { ...column(t('good'), (one) => one.good), color: 'good' };
  const bad: Series = { ...column(t('bad'), (one) => one.bad), color: 'bad' };
  const total = asTableOnly(column(t('ratings'), (one) => one.total));
  const score: Series = {
    ...{ title: t('percentPositive'), unit: 'share', isTableOnly: true, values: ranking.map((one) => one.score) },
    total: total.total ? (good.total ?? 0) / total.total : null,
  };
  return {
    isRanking: true,
    heading: t('agent'),
    labels: ranking.map(({ name }) => name),
    series: [good, bad, total, score],
    stacked: true,
  };
};

const ratingsOf = (buckets: Record<string, { good: number; bad: number }>): Series[] => [
  ...countsOf(buckets, [[t('good'), ({ good }) => good]]).map((series): Series => ({ ...series, color: 'good' })),
  ...countsOf(buckets, [[t('bad'), ({ bad }) => bad]]).map((series): Series => ({ ...series, color: 'bad' })),
];

const goalsOf = (buckets: ResponseOf<typeof chat.goals>): ReportData => {
  const currencies = [...new Set(Object.values(buckets).flatMap(({ value }) => Object.keys(value)))].sort();
  const sales = currencies.flatMap((currency) => [
    ...countsOf(buckets, [[t('salesCurrency', { currency }), ({ value }) => value[currency]?.sales_count ?? 0]]),
    ...countsOf(buckets, [[t('revenueCurrency', { currency }), ({ value }) => value[currency]?.value ?? 0]], 'money'),
  ]);
  return toReportData(buckets, [...countsOf(buckets, [[t('goals'), ({ goals }) => goals]]), ...sales.map(asTableOnly)]);
};

export const REPORTS: { title: string; reports: Report[] }[] = [
  {
    title: t('chats'),
    reports: [
      define('total-chats', t('totalChats'), t('numberOfChatsByStart'), chat.totalChats, (buckets) =>
        toReportData(buckets, countsOf(buckets, [[t('chats'), ({ chats }) => chats]])),
      ),
      define('engagement', t('chatEngagement'), t('chatsByHowTheyWere'), chat.engagement, (buckets) =>
        toReportData(
          buckets,
          countsOf(buckets, [
            [t('startedByVisitor'), (bucket) => bucket.chats_from_immediate_start],
            [t('fromAGreeting'), (bucket) => bucket.chats_from_auto_invite],
            [t('startedByAgent'), (bucket) => bucket.chats_from_manual_invite],
          ]),
          true,
        ),
      ),
      define('not-replied', t('missedChats'), t('chatsWithoutAnAgentsReply'), chat.notRepliedChats, (buckets) =>
        toReportData(buckets, countsOf(buckets, [[t('missedChats'), (bucket) => bucket.not_replied]])),
      ),
      define('chat-ratings', t('chatSatisfaction'), t('goodAndBadChatRatings'), chat.chatRatings, (buckets) =>
        toReportData(
          buckets,
          [...ratingsOf(buckets), ...countsOf(buckets, [[t('chats'), ({ chats }) => chats]]).map(asTableOnly)],
          true,
        ),
      ),
      define('chat-ranking', t('agentRanking'), t('agentsByTheRatingsOf'), chat.chatRanking, rankingOf),
      define(
        'first-response',
        t('firstResponseTime'),
        t('averageTimeVisitorsWaitFor'),
        chat.chatFirstResponseTime,
        (buckets) =>
          timesOf(
            buckets,
            'seconds',
            ({ first_response_time: { count, seconds } }) => ({ count, value: seconds }),
            t('chats'),
          ),
      ),
      define('response', t('responseTime'), t('averageTimeVisitorsWaitForA'), chat.chatResponseTime, (buckets) =>
        timesOf(
          buckets,
          'seconds',
          ({ avg_response_time: { count, seconds } }) => ({ count, value: seconds }),
          t('replies'),
        ),
      ),
    ],
  },
  {
    title: t('queue'),
    reports: [
      define('queued', t('queuedVisitors'), t('visitorsWhoEnteredAChat'), chat.queuedVisitors, (buckets) =>
        toReportData(
          buckets,
          [
            ...countsOf(buckets, [
              [t('enteredChat'), (bucket) => bucket.entered_chat.count],
              [t('leftQueue'), (bucket) => bucket.left_queue.count],
            ]),
            ...countsOf(buckets, [[t('queued'), (bucket) => bucket.queued.count]]).map(asTableOnly),
          ],
          true,
        ),
      ),
      define('waiting', t('queueWaitingTime'), t('howLongVisitorsWaitedIn'), chat.waitingTimes, (buckets) =>
        toReportData(buckets, [
          ...waitsOf(buckets, t('all'), (bucket) => bucket.queued),
          ...waitsOf(buckets, t('enteredChat'), (bucket) => bucket.entered_chat),
          ...waitsOf(buckets, t('leftQueue'), (bucket) => bucket.left_queue),
        ]),
      ),
    ],
  },
  {
    title: t('agents'),
    reports: [
      define('availability', t('availability'), t('hoursWithAnAgentAcceptingChats'), chat.availability, (buckets) =>
        toReportData(buckets, countsOf(buckets, [[t('acceptingChats'), ({ hours }) => hours]], 'hours')),
      ),
      define('chatting-time', t('chattingTime'), t('hoursAgentsSpentOnChats'), chat.chattingTime, (buckets) =>
        toReportData(buckets, countsOf(buckets, [[t('chattingTime'), ({ hours }) => hours]], 'hours')),
      ),
      define('occupancy', t('concurrentChats'), t('peakConcurrentChatsPerHour'), chat.agentsOccupancy, (buckets) => {
        const [series] = countsOf(buckets, [[t('maxConcurrentChats'), (count) => count]]);
        // A sum of peaks is meaningless; the total is the highest peak.
        return toReportData(buckets, [
          { ...series!, total: Math.max(0, ...series!.values.map((value) => value ?? 0)) },
        ]);
      }),
    ],
  },
  {
    title: t('greetingsAndGoals'),
    reports: [
      define('greetings', t('greetings'), t('greetingsDisplayedAcceptedAndThe'), chat.greetings, (buckets) =>
        toReportData(
          buckets,
          countsOf(buckets, [
            [t('displayed'), ({ displayed }) => displayed],
            [t('accepted'), ({ accepted }) => accepted],
            [t('goals'), ({ goals }) => goals],
          ]),
        ),
      ),
      define('goals', t('goalsAndSales'), t('goalsReachedAndRevenueBy'), chat.goals, goalsOf),
    ],
  },
  {
    title: t('tickets'),
    reports: [
      define('new-tickets', t('newTickets'), t('numberOfTicketsCreated'), ticket.newTickets, (buckets) =>
        toReportData(buckets, countsOf(buckets, [[t('newTickets'), (bucket) => bucket.new_tickets]])),
      ),
      define('solved-tickets', t('solvedTickets'), t('numberOfTicketsSolved'), ticket.solvedTickets, (buckets) =>
        toReportData(buckets, countsOf(buckets, [[t('solved'), (bucket) => bucket.solved_tickets]])),
      ),
      define(
        'ticket-first-response',
        t('ticketFirstResponseTime'),
        t('averageTimeToTheFirst'),
        ticket.ticketFirstResponseTime,
        (buckets) => timesOf(buckets, 'hours', ({ count, hours }) => ({ count, value: hours }), t('tickets')),
      ),
      define('resolution', t('resolutionTime'), t('averageTimeToSolveA'), ticket.resolutionTime, (buckets) =>
        timesOf(buckets, 'hours', ({ count, hours }) => ({ count, value: hours }), t('tickets')),
      ),
      define('ticket-sources', t('ticketSources'), t('ticketsBySource'), ticket.ticketSources, (buckets) =>
        toReportData(
          buckets,
          countsOf(buckets, [
            [t('chatWidget'), (bucket) => bucket.tickets_from_chat_window],
            [t('email'), (bucket) => bucket.tickets_from_mail],
            [t('chats'), (bucket) => bucket.tickets_from_chat],
          ]),
          true,
        ),
      ),
      define('ticket-ratings', t('ticketSatisfaction'), t('goodAndBadTicketRatings'), ticket.ticketRatings, (buckets) =>
        toReportData(buckets, ratingsOf(buckets), true),
      ),
      define(
        'ticket-ranking',
        t('agentRankingTickets'),
        t('agentsByTheRatingsOfTheir'),
        ticket.ticketRanking,
        rankingOf,
      ),
    ],
  },
];

export const ALL_REPORTS: Report[] = REPORTS.flatMap(({ reports }) => reports);
export const findReport = (id: string | undefined): Report =>
  ALL_REPORTS.find((report) => report.id === id) ?? ALL_REPORTS[0]!;
