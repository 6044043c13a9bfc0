import type { OrganizationScope } from '#server/domain/scope.ts';
import { type WallTime, wallClock } from '#server/domain/time-zones.ts';

/** Loads all rows for a naive implementation of reports, which assigns every row to a bucket by its local time. */
export const loadRows = async (scope: OrganizationScope) => ({
  threads: await scope.from('threads').selectAll().execute(),
  events: await scope.from('events').orderBy('number').selectAll().execute(),
  threadAgents: await scope.from('threadAgents').selectAll().execute(),
  assignments: await scope.from('assignments').selectAll().execute(),
  queueEntries: await scope.from('queueEntries').selectAll().execute(),
  changes: await scope.from('agentStatusChanges').orderBy('changedAt').orderBy('id').selectAll().execute(),
  agents: await scope.from('agents').selectAll().execute(),
  memberships: await scope.from('agentGroups').selectAll().execute(),
  displays: await scope.from('greetingDisplays').selectAll().execute(),
  hits: await scope.from('goalHits').selectAll().execute(),
  goals: await scope.from('goals').selectAll().execute(),
  tickets: await scope.from('tickets').selectAll().execute(),
});
export type Rows = Awaited<ReturnType<typeof loadRows>>;

export interface ReportQuery {
  timezone: string;
  date_from: string;
  date_to: string;
  group_by?: 'hour' | 'day' | 'month' | undefined;
  group?: number | undefined;
  agent?: string | undefined;
  tag?: string | undefined;
  goal?: number | undefined;
  greeting?: number | undefined;
  sales_tracker?: 0 | 1 | undefined;
  currency?: string | undefined;
}

export const QUARTER_MS = 900_000;
export const DAY_MS = 96 * QUARTER_MS;
export const round = (value: number): number => Math.round(value * 100) / 100;
/** The average of milliseconds, converted to a larger unit. */
export const average = (values: number[], unit: number): number | null =>
  values.length === 0 ? null : round(values.reduce((sum, one) => sum + one, 0) / values.length / unit);
export const ms = (date: Date): number => date.getTime();

export interface Model {
  keyOf(at: Date): string | undefined;
  keys: string[];
  rangeOf(key: string): { begin: string; end: string };
}

/** Determines the buckets by reading the local time of every quarter of an hour. */
export const openModel = ({ timezone, date_from, date_to, group_by }: ReportQuery): Model => {
  const clock = wallClock(timezone);
  const by = group_by ?? (date_from === date_to ? 'hour' : 'day');
  const nameOf = ({ date, time }: WallTime): string | undefined => {
    if (date < date_from || date > date_to) return undefined;
    const hour = `${time.slice(0, 2)}:00`;
    return { hour: date_from === date_to ? hour : `${date} ${hour}`, day: date, month: date.slice(0, 7) }[by];
  };
  const keyOf = (at: Date) => nameOf(clock(at));
  const days = new Map<string, Set<string>>();
  for (let at = Date.parse(date_from) - 2 * DAY_MS; at < Date.parse(date_to) + 3 * DAY_MS; at += QUARTER_MS) {
    const shown = clock(new Date(at));
    const key = nameOf(shown);
    if (key !== undefined) days.set(key, (days.get(key) ?? new Set()).add(shown.date));
  }
  const rangeOf = (key: string) => {
    const sorted = [...days.get(key)!].sort();
    return { begin: sorted[0]!, end: sorted.at(-1)! };
  };
  return { keyOf, keys: [...days.keys()], rangeOf };
};

export const byKey = <T, R>(
  model: Model,
  rows: T[],
  at: (row: T) => Date | null,
  present: (rows: T[], key: string) => R,
) => {
  const found = Map.groupBy(rows, (row) => (at(row) === null ? undefined : model.keyOf(at(row)!)));
  return Object.fromEntries(model.keys.map((key) => [key, present(found.get(key) ?? [], key)]));
};

export const countIf = <T>(rows: T[], holds: (row: T) => boolean): number => rows.filter(holds).length;

export const rank = (ratings: { by: string | null; rating: string | null | undefined }[]) => {
  const names = [...new Set(ratings.flatMap(({ by, rating }) => (by && rating ? [by] : [])))];
  return names
    .map((name) => {
      const good = countIf(ratings, (one) => one.by === name && one.rating === 'good');
      const bad = countIf(ratings, (one) => one.by === name && one.rating === 'bad');
      return { good, bad, total: good + bad, score: good / (good + bad), name };
    })
    .sort((a, b) => b.score - a.score || b.total - a.total || (a.name < b.name ? -1 : 1));
};

/** Expected report results by path. */
export type ReportModels = Record<string, (rows: Rows, query: ReportQuery, now: Date) => unknown>;
