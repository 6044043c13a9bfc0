import type { Comparison } from '../domain/support/routing-simulation/compare-variants.ts';
import type { ChatCounts, Measures } from '../domain/support/routing-simulation/measure.ts';
import type { Interval } from '../domain/support/routing-simulation/model.ts';
import { wallClock } from '../domain/time-zones.ts';

const NO_VALUE = '–';

const toDuration = (ms: number | undefined): string => {
  if (ms === undefined) return NO_VALUE;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

const toPercent = (part: number | null | undefined): string =>
  part === null || part === undefined ? NO_VALUE : `${(part * 100).toFixed(1)} %`;

type Line = [label: string, ...cells: string[]];

const linesOf = (counts: (ChatCounts | undefined)[]): Line[] => {
  const line = (label: string, cell: (count: ChatCounts) => string): Line => [
    label,
    ...counts.map((count) => (count ? cell(count) : NO_VALUE)),
  ];
  return [
    line('chats', ({ chats }) => String(chats)),
    line('answered', ({ answered }) => String(answered)),
    line('queued', ({ queued }) => String(queued)),
    line('left the queue', ({ left }) => String(left)),
    line('no agent available', ({ refused }) => String(refused)),
    line('still waiting', ({ waiting }) => String(waiting)),
    line('median wait', ({ wait }) => toDuration(wait?.p50)),
    line('90th percentile wait', ({ wait }) => toDuration(wait?.p90)),
    line('longest wait', ({ wait }) => toDuration(wait?.max)),
    line('average wait', ({ wait }) => toDuration(wait?.average)),
  ];
};

const agentLines = (columns: Measures[]): Line[] => {
  const logins = [...new Set(columns.flatMap(({ agents }) => agents.map(({ login }) => login)))];
  return logins.map((login) => [
    login,
    ...columns.map(({ agents }) => {
      const agent = agents.find((one) => one.login === login);
      return agent ? `${agent.answered} · ${toPercent(agent.occupancy)}` : NO_VALUE;
    }),
  ]);
};

const CELL = 16;

const format = (lines: Line[]): string[] => {
  const width = Math.max(20, ...lines.map(([label]) => label.length));
  return lines.map(([label, ...cells]) => [label.padEnd(width), ...cells.map((cell) => cell.padStart(CELL))].join(' '));
};

const toMinute = (timezone: string, at: number): string => {
  const { date, time } = wallClock(timezone)(new Date(at));
  return `${date} ${time.slice(0, 5)}`;
};

/** Formats the comparison as a text table. */
export const printComparison = (
  { name, timezone }: { name: string; timezone: string },
  { from, to }: Interval,
  { actual, replayed, changed, unrouted }: Comparison,
): string => {
  const columns = [actual, replayed, ...(changed ? [changed] : [])];
  const headings = ['actual', 'replayed', ...(changed ? ['changed'] : [])];
  const part = (title: string, lines: Line[]): string[] => ['', ...format([[title, ...headings], ...lines])];
  const groups = actual.groups.flatMap(({ id, name: group }) =>
    part(`Group ${id}, ${group}`, linesOf(columns.map((column) => column.groups.find((one) => one.id === id)))),
  );
  return [
    `Routing of ${name}, ${toMinute(timezone, from)} to ${toMinute(timezone, to)} (${timezone})`,
    ...part('All', [
      ...linesOf(columns.map(({ all }) => all)),
      ['utilization', ...columns.map((one) => toPercent(one.occupancy))],
    ]),
    ...groups,
    ...part('Agents', agentLines(columns)),
    '',
    'For agents: number of chats answered first, and utilization (share of their chat slots in use).',
    ...(unrouted > 0 ? [`Excluded: ${unrouted} threads that were never routed.`] : []),
  ].join('\n');
};
