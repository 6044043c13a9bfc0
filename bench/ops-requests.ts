import { chatOpsContract } from '#contracts/chat-ops/index.ts';
import { AGENTS, FORMER_AGENT, GROUPS, ODD_WORDS, TAGS } from './ops-rows.ts';

/** Its days begin in the midst of those of UTC. */
const ZONE = 'America/New_York';
/** Its hours, too, begin in the midst of those of UTC. */
const ODD_ZONE = 'Asia/Kathmandu';

export interface Asked {
  name: string;
  /** What is asked the n-th time. Lists ask for something else each time, so that no total is remembered. */
  path(n: number): string;
  /** Milliseconds; absent where none is set. */
  goal?: number;
  /** Whether it must cost about the same with a tenth of the chats. */
  steady?: true;
}

const LIST_MS = 30;
const MONTH_MS = 60;
const ALL_TIME_MS = 300;

const dayAgo = (days: number): string => new Date(Date.now() - days * 864e5).toISOString().slice(0, 10);
const MONTH = `date_from=${dayAgo(35)}&date_to=${dayAgo(5)}`;

const agent = (n: number): string => `agent${1 + (n % AGENTS)}@bench.test`;
const RATES = ['rated_good', 'not_rated', 'rated_bad'];
const rate = (n: number): string => RATES[Math.floor(n / AGENTS) % RATES.length]!;
const oddWord = (n: number): string => `w${String((n * 41 + 7) % ODD_WORDS).padStart(4, '0')}`;

const lists: Record<string, Asked['path']> = {
  '': (n) => `/chats?date_to=${dayAgo(n)}`,
  ', its last page': (n) => `/chats?date_to=${dayAgo(n)}&page=1000`,
  ', two filters': (n) => `/chats?agent=${agent(n)}&rate=${rate(n)}`,
  ', two others': (n) => `/chats?group=${n % GROUPS}&tag[]=tag${n % TAGS}`,
  ', two that most fit': (n) => `/chats?rate=not_rated&queued=0&date_to=${dayAgo(n)}`,
  ', of somebody who left': (n) => `/chats?agent=${FORMER_AGENT}&date_to=${dayAgo(n)}`,
  ', query': (n) => `/chats?query=${oddWord(n)}`,
  ', query of a usual word': (n) => `/chats?query=arrives&date_to=${dayAgo(n)}`,
  ', query of two words': (n) => `/chats?query=order%20${oddWord(n)}`,
  ', query of an e-mail': (n) => `/chats?query=customer${n * 13}%40home.test`,
  ', query and two filters': (n) => `/chats?query=tomorrow&agent=${agent(n)}&rate=${rate(n)}`,
};

const reports: Asked[] = chatOpsContract.operations
  .filter(({ path }) => path.startsWith('/reports/'))
  .flatMap(({ path, query }): Asked[] => {
    const name = path.slice('/reports/'.length);
    if (path.endsWith('occupancy')) return [{ name, path: () => `${path}?weekday=mon`, goal: MONTH_MS, steady: true }];
    const zone = 'timezone' in query!.properties ? `&timezone=${ZONE}` : '';
    return [
      { name: `${name}, month`, path: () => `${path}?${MONTH}${zone}`, goal: MONTH_MS, steady: true },
      { name: `${name}, all time`, path: () => `${path}?${zone}`, goal: ALL_TIME_MS },
    ];
  });

const others: Record<string, Asked['path']> = {
  'total_chats of an agent, month': (n) => `/reports/chats/total_chats?${MONTH}&agent=${agent(n)}`,
  'total_chats of an agent, all time': (n) => `/reports/chats/total_chats?agent=${agent(n)}`,
  'total_chats of an agent and a tag, month': (n) => `/reports/chats/total_chats?${MONTH}&agent=${agent(n)}&tag=tag3`,
  'total_chats of an agent and a tag, all time': (n) => `/reports/chats/total_chats?agent=${agent(n)}&tag=tag3`,
  'ranking of a group, all time': (n) => `/reports/chats/ratings/ranking?group=${n % GROUPS}`,
  'total_chats in Kathmandu, all time': () => `/reports/chats/total_chats?timezone=${ODD_ZONE}`,
  'solved_tickets in Kathmandu, all time': () => `/reports/tickets/solved_tickets?timezone=${ODD_ZONE}`,
  'availability of a group, all time': (n) => `/reports/availability?group=${n % GROUPS}`,
  'availability of an agent, all time': (n) => `/reports/availability?agent=${agent(n)}`,
};

export const asked: Asked[] = [
  ...Object.entries(lists).map(([name, path]) => ({ name: `GET /chats${name}`, path, goal: LIST_MS })),
  { name: 'GET /tags', path: () => '/tags', goal: LIST_MS },
  ...reports,
  ...Object.entries(others).map(([name, path]) => ({
    name,
    path,
    goal: name.endsWith('month') ? MONTH_MS : ALL_TIME_MS,
  })),
];
