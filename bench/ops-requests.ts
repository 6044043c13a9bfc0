import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { AGENTS, FORMER_AGENT, GROUPS, RARE_WORDS, TAGS } from './ops-rows.ts';

/** Its days do not start at midnight UTC. */
const ZONE = 'America/New_York';
/** Its offset includes a quarter of an hour, so that its hours differ from those of UTC too. */
const QUARTER_HOUR_ZONE = 'Asia/Kathmandu';

export interface BenchRequest {
  name: string;
  /** The path of the n-th request. Lists use different filters each time, so that no total is cached. */
  path(n: number): string;
  /** The maximum p50 in milliseconds. */
  goal?: number;
  /** Whether the time must not depend on the number of chats. */
  isSteady?: true;
}

const LIST_MS = 30;
const MONTH_MS = 60;
const ALL_TIME_MS = 300;

const daysAgo = (days: number): string => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
const MONTH = `date_from=${daysAgo(35)}&date_to=${daysAgo(5)}`;

const agent = (n: number): string => `agent${1 + (n % AGENTS)}@bench.test`;
const RATES = ['rated_good', 'not_rated', 'rated_bad'];
const rate = (n: number): string => RATES[Math.floor(n / AGENTS) % RATES.length]!;
const rareWord = (n: number): string => `w${String((n * 41 + 7) % RARE_WORDS).padStart(4, '0')}`;

const lists: Record<string, BenchRequest['path']> = {
  '': (n) => `/chats?date_to=${daysAgo(n)}`,
  ', last page': (n) => `/chats?date_to=${daysAgo(n)}&page=1000`,
  ', two filters': (n) => `/chats?agent=${agent(n)}&rate=${rate(n)}`,
  ', two other filters': (n) => `/chats?group=${n % GROUPS}&tag[]=tag${n % TAGS}`,
  ', two filters that most chats match': (n) => `/chats?rate=not_rated&queued=0&date_to=${daysAgo(n)}`,
  ', former agent': (n) => `/chats?agent=${FORMER_AGENT}&date_to=${daysAgo(n)}`,
  ', query': (n) => `/chats?query=${rareWord(n)}`,
  ', query, common word': (n) => `/chats?query=arrives&date_to=${daysAgo(n)}`,
  ', query, two words': (n) => `/chats?query=order%20${rareWord(n)}`,
  ', query, email': (n) => `/chats?query=customer${n * 13}%40home.test`,
  ', query and two filters': (n) => `/chats?query=tomorrow&agent=${agent(n)}&rate=${rate(n)}`,
};

const reports: BenchRequest[] = chatOpsContract.operations
  .filter(({ path }) => path.startsWith('/reports/'))
  .flatMap(({ path, query }): BenchRequest[] => {
    const name = path.slice('/reports/'.length);
    if (path.endsWith('occupancy'))
      return [{ name, path: () => `${path}?weekday=mon`, goal: MONTH_MS, isSteady: true }];
    const zone = 'timezone' in query!.properties ? `&timezone=${ZONE}` : '';
    return [
      { name: `${name}, month`, path: () => `${path}?${MONTH}${zone}`, goal: MONTH_MS, isSteady: true },
      { name: `${name}, all time`, path: () => `${path}?${zone}`, goal: ALL_TIME_MS },
    ];
  });

const others: Record<string, BenchRequest['path']> = {
  'total_chats of an agent, month': (n) => `/reports/chats/total_chats?${MONTH}&agent=${agent(n)}`,
  'total_chats of an agent, all time': (n) => `/reports/chats/total_chats?agent=${agent(n)}`,
  'total_chats of an agent and a tag, month': (n) => `/reports/chats/total_chats?${MONTH}&agent=${agent(n)}&tag=tag3`,
  'total_chats of an agent and a tag, all time': (n) => `/reports/chats/total_chats?agent=${agent(n)}&tag=tag3`,
  'ranking of a group, all time': (n) => `/reports/chats/ratings/ranking?group=${n % GROUPS}`,
  'total_chats in Kathmandu, all time': () => `/reports/chats/total_chats?timezone=${QUARTER_HOUR_ZONE}`,
  'solved_tickets in Kathmandu, all time': () => `/reports/tickets/solved_tickets?timezone=${QUARTER_HOUR_ZONE}`,
  'availability of a group, all time': (n) => `/reports/availability?group=${n % GROUPS}`,
  'availability of an agent, all time': (n) => `/reports/availability?agent=${agent(n)}`,
};

export const benchRequests: BenchRequest[] = [
  ...Object.entries(lists).map(([name, path]) => ({ name: `GET /chats${name}`, path, goal: LIST_MS })),
  { name: 'GET /tags', path: () => '/tags', goal: LIST_MS },
  ...reports,
  ...Object.entries(others).map(([name, path]) => ({
    name,
    path,
    goal: name.endsWith('month') ? MONTH_MS : ALL_TIME_MS,
  })),
];
