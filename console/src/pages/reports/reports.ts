import * as chat from '#contracts/chat-ops/reports.ts';
import * as ticket from '#contracts/chat-ops/reports-tickets.ts';
import type { AnswerOf, Operation } from '#contracts/operation.ts';
import { aside, averageOf, countsOf, extremeOf, type Series, type Shaped, shapeBuckets } from './shape.ts';

export interface Report {
  id: string;
  title: string;
  about: string;
  /** Its query says which controls the report has. */
  operation: Operation;
  shape(answer: unknown): Shaped;
}

/** Ties the shape to what the operation answers. */
const define = <O extends Operation>(
  id: string,
  title: string,
  operation: O,
  shape: (answer: AnswerOf<O>) => Shaped,
): Report => ({ id, title, about: operation.summary, operation, shape: (answer) => shape(answer as AnswerOf<O>) });

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
  extremeOf(buckets, `${title}: shortest`, Math.min, (bucket) => read(bucket).min.seconds),
  extremeOf(buckets, `${title}: longest`, Math.max, (bucket) => read(bucket).max.seconds),
  ...countsOf(buckets, [[`${title}: visitors`, (bucket) => read(bucket).count]]).map(aside),
];

/** An average beside how much of it there was. */
const timesOf = <T>(
  buckets: Record<string, T>,
  unit: 'seconds' | 'hours',
  read: (bucket: T) => { count: number; value: number | null },
  measured: string,
): Shaped =>
  shapeBuckets(buckets, [
    averageOf(buckets, 'On the average', unit, read),
    ...countsOf(buckets, [[measured, (bucket) => read(bucket).count]]).map(aside),
  ]);

const rankingOf = ({ ranking }: AnswerOf<typeof chat.chatRanking>): Shaped => {
  const column = (title: string, read: (one: (typeof ranking)[number]) => number): Series => {
    const values = ranking.map(read);
    return { title, unit: 'count', values, total: values.reduce((total, value) => total + value, 0) };
  };
  const [good, bad, total] = [
    column('Good', (one) => one.good),
    column('Bad', (one) => one.bad),
    aside(column('Ratings', (one) => one.total)),
  ];
  const score: Series = {
    ...{ title: 'Share of good ones', unit: 'share', isAside: true, values: ranking.map((one) => one.score) },
    total: total.total ? (good.total ?? 0) / total.total : null,
  };
  return {
    heading: 'Agent',
    labels: ranking.map(({ name }) => name),
    series: [good, bad, total, score],
    stacked: true,
  };
};

const goalsOf = (buckets: AnswerOf<typeof chat.goals>): Shaped => {
  const currencies = [...new Set(Object.values(buckets).flatMap(({ value }) => Object.keys(value)))].sort();
  const sales = currencies.flatMap((currency) => [
    ...countsOf(buckets, [[`Sales in ${currency}`, ({ value }) => value[currency]?.sales_count ?? 0]]),
    ...countsOf(buckets, [[`Sold, ${currency}`, ({ value }) => value[currency]?.value ?? 0]], 'money'),
  ]);
  return shapeBuckets(buckets, [...countsOf(buckets, [['Goals', ({ goals }) => goals]]), ...sales.map(aside)]);
};

export const REPORTS: { title: string; reports: Report[] }[] = [
  {
    title: 'Chats',
    reports: [
      define('total-chats', 'Total chats', chat.totalChats, (buckets) =>
        shapeBuckets(buckets, countsOf(buckets, [['Chats', ({ chats }) => chats]])),
      ),
      define('engagement', 'How chats began', chat.engagement, (buckets) =>
        shapeBuckets(
          buckets,
          countsOf(buckets, [
            ['By the visitor', (bucket) => bucket.chats_from_immediate_start],
            ['By a greeting', (bucket) => bucket.chats_from_auto_invite],
            ['By an agent', (bucket) => bucket.chats_from_manual_invite],
          ]),
          true,
        ),
      ),
      define('not-replied', 'Chats without an answer', chat.notRepliedChats, (buckets) =>
        shapeBuckets(buckets, countsOf(buckets, [['Without an answer', (bucket) => bucket.not_replied]])),
      ),
      define('chat-ratings', 'Ratings of chats', chat.chatRatings, (buckets) =>
        shapeBuckets(
          buckets,
          [
            ...countsOf(buckets, [
              ['Good', ({ good }) => good],
              ['Bad', ({ bad }) => bad],
            ]),
            ...countsOf(buckets, [['Chats', ({ chats }) => chats]]).map(aside),
          ],
          true,
        ),
      ),
      define('chat-ranking', 'Ranking by chats', chat.chatRanking, rankingOf),
      define('first-response', 'First answer in chats', chat.chatFirstResponseTime, (buckets) =>
        timesOf(
          buckets,
          'seconds',
          ({ first_response_time: { count, seconds } }) => ({ count, value: seconds }),
          'Chats',
        ),
      ),
      define('response', 'Answers in chats', chat.chatResponseTime, (buckets) =>
        timesOf(
          buckets,
          'seconds',
          ({ avg_response_time: { count, seconds } }) => ({ count, value: seconds }),
          'Answers',
        ),
      ),
    ],
  },
  {
    title: 'Queue',
    reports: [
      define('queued', 'Queued visitors', chat.queuedVisitors, (buckets) =>
        shapeBuckets(
          buckets,
          [
            ...countsOf(buckets, [
              ['Came to chat', (bucket) => bucket.entered_chat.count],
              ['Left the queue', (bucket) => bucket.left_queue.count],
            ]),
            ...countsOf(buckets, [['Queued', (bucket) => bucket.queued.count]]).map(aside),
          ],
          true,
        ),
      ),
      define('waiting', 'Waiting times', chat.waitingTimes, (buckets) =>
        shapeBuckets(buckets, [
          ...waitsOf(buckets, 'All', (bucket) => bucket.queued),
          ...waitsOf(buckets, 'Came to chat', (bucket) => bucket.entered_chat),
          ...waitsOf(buckets, 'Left the queue', (bucket) => bucket.left_queue),
        ]),
      ),
    ],
  },
  {
    title: 'Agents',
    reports: [
      define('availability', 'Availability', chat.availability, (buckets) =>
        shapeBuckets(buckets, countsOf(buckets, [['Accepting chats', ({ hours }) => hours]], 'hours')),
      ),
      define('chatting-time', 'Chatting time', chat.chattingTime, (buckets) =>
        shapeBuckets(buckets, countsOf(buckets, [['On chats', ({ hours }) => hours]], 'hours')),
      ),
      define('occupancy', 'Chats at once', chat.agentsOccupancy, (buckets) => {
        const [series] = countsOf(buckets, [['Most chats at once', (count) => count]]);
        // Adding up peaks would say nothing.
        return shapeBuckets(buckets, [
          { ...series!, total: Math.max(0, ...series!.values.map((value) => value ?? 0)) },
        ]);
      }),
    ],
  },
  {
    title: 'Greetings and goals',
    reports: [
      define('greetings', 'Greetings', chat.greetings, (buckets) =>
        shapeBuckets(
          buckets,
          countsOf(buckets, [
            ['Shown', ({ displayed }) => displayed],
            ['Accepted', ({ accepted }) => accepted],
            ['Goals', ({ goals }) => goals],
          ]),
        ),
      ),
      define('goals', 'Goals and sales', chat.goals, goalsOf),
    ],
  },
  {
    title: 'Tickets',
    reports: [
      define('new-tickets', 'New tickets', ticket.newTickets, (buckets) =>
        shapeBuckets(buckets, countsOf(buckets, [['New tickets', (bucket) => bucket.new_tickets]])),
      ),
      define('solved-tickets', 'Solved tickets', ticket.solvedTickets, (buckets) =>
        shapeBuckets(buckets, countsOf(buckets, [['Solved', (bucket) => bucket.solved_tickets]])),
      ),
      define('ticket-first-response', 'First answer to tickets', ticket.ticketFirstResponseTime, (buckets) =>
        timesOf(buckets, 'hours', ({ count, hours }) => ({ count, value: hours }), 'Tickets'),
      ),
      define('resolution', 'Time to solve', ticket.resolutionTime, (buckets) =>
        timesOf(buckets, 'hours', ({ count, hours }) => ({ count, value: hours }), 'Tickets'),
      ),
      define('ticket-sources', 'Where tickets came from', ticket.ticketSources, (buckets) =>
        shapeBuckets(
          buckets,
          countsOf(buckets, [
            ['Chat window', (bucket) => bucket.tickets_from_chat_window],
            ['Mail', (bucket) => bucket.tickets_from_mail],
            ['Chats', (bucket) => bucket.tickets_from_chat],
          ]),
          true,
        ),
      ),
      define('ticket-ratings', 'Ratings of tickets', ticket.ticketRatings, (buckets) =>
        shapeBuckets(
          buckets,
          countsOf(buckets, [
            ['Good', ({ good }) => good],
            ['Bad', ({ bad }) => bad],
          ]),
          true,
        ),
      ),
      define('ticket-ranking', 'Ranking by tickets', ticket.ticketRanking, rankingOf),
    ],
  },
];

export const ALL_REPORTS: Report[] = REPORTS.flatMap(({ reports }) => reports);
export const findReport = (id: string | undefined): Report =>
  ALL_REPORTS.find((report) => report.id === id) ?? ALL_REPORTS[0]!;
