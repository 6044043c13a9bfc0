import type { Operation } from '#contracts/operation.ts';
import type { Filters } from '../../app/use-filters.ts';
import { readRange, todayIn } from './range.ts';

export const REPORT_FILTERS = [
  ...(['range', 'from', 'to', 'zone', 'by', 'group', 'agent', 'tag', 'goal', 'greeting', 'sales', 'currency'] as const),
  'weekday',
] as const;
export type ReportFilters = Filters<(typeof REPORT_FILTERS)[number]>;

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export const DEFAULT_WEEKDAY = 'mon';

export const accepts = ({ query }: Operation, name: string): boolean => query !== undefined && name in query.properties;

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && Number.isInteger(Number(text)) ? Number(text) : undefined;

const BUCKETS = ['hour', 'day', 'month'];

/** Maps the URL to the query parameters the report accepts. */
export const toReportQuery = (
  operation: Operation,
  filters: ReportFilters,
  now = new Date(),
): Record<string, unknown> => {
  const zone = accepts(operation, 'timezone') ? filters.zone : undefined;
  const { from, to } = readRange(filters, todayIn(zone, now));
  const group = numberOf(filters.group);
  const all: Record<string, unknown> = {
    date_from: from,
    date_to: to,
    timezone: zone,
    group_by: BUCKETS.find((one) => one === filters.by),
    group,
    groups: group === undefined ? undefined : [group],
    agent: filters.agent,
    agents: filters.agent === undefined ? undefined : [filters.agent],
    tag: filters.tag,
    goal: numberOf(filters.goal),
    greeting: numberOf(filters.greeting),
    sales_tracker: filters.sales === '1' ? 1 : undefined,
    currency: filters.currency && /^[A-Za-z]{3}$/.test(filters.currency) ? filters.currency : undefined,
    weekday: filters.weekday && WEEKDAYS.includes(filters.weekday) ? filters.weekday : DEFAULT_WEEKDAY,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && accepts(operation, name)),
  );
};
