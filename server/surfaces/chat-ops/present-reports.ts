import type { PeriodInput } from '#server/domain/support/reports/period.ts';
import type { Rank } from '#server/domain/support/reports/rankings.ts';
import type { Reported } from '#server/domain/support/reports/report.ts';

interface ReportQuery {
  date_from?: string;
  date_to?: string;
  timezone?: string;
  group_by?: 'hour' | 'day' | 'month';
  group?: number;
  agent?: string;
  tag?: string;
}

export const readPeriod = ({ date_from, date_to, timezone, group_by }: ReportQuery): PeriodInput => ({
  ...{ dateFrom: date_from, dateTo: date_to },
  ...{ timeZone: timezone, groupBy: group_by },
});

/** Reads the query parameters that reports share. */
export const readReportQuery = (query: ReportQuery) => ({
  period: readPeriod(query),
  ...{ groupId: query.group, agentId: query.agent, tag: query.tag },
});

/** One value per bucket key. */
export const presentBuckets = <Sums, Wire>(
  reported: Reported<Sums>[],
  present: (sums: Sums, range: { begin: string; end: string }) => Wire,
): Record<string, Wire> =>
  Object.fromEntries(
    reported.map(({ bucket: { key, firstDay, lastDay }, sums }) => [
      key,
      present(sums, { begin: firstDay, end: lastDay }),
    ]),
  );

const round = (value: number): number => Math.round(value * 100) / 100;

export const toSeconds = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : round(milliseconds / 1000);

export const toHours = (milliseconds: number): number => round(milliseconds / 3_600_000);

/** Hours, and also minutes if the buckets are the hours of one day. */
export const presentDurations = (reported: Reported<number>[]): Record<string, { hours: number; minutes?: number }> => {
  const isByHour = reported[0]?.bucket.key.length === 'HH:mm'.length;
  return presentBuckets(reported, (milliseconds) => ({
    hours: toHours(milliseconds),
    ...(isByHour ? { minutes: round(milliseconds / 60_000) } : {}),
  }));
};

export const presentRanking = (ranks: Rank[]) => ({
  ranking: ranks.map(({ login, ...rank }) => ({ ...rank, name: login })),
});
