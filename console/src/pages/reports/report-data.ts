import { t } from './t.ts';

/** How a number is formatted. */
export type Unit = 'count' | 'seconds' | 'hours' | 'share' | 'money';

export interface Series {
  title: string;
  unit: Unit;
  /** `null` for buckets without measurements. */
  values: (number | null)[];
  /** Total or average over the whole range. */
  total: number | null;
  /** By default the chart picks a color by position. */
  color?: 'good' | 'bad';
  /** Shown in the table but not in the chart. */
  isTableOnly?: boolean;
}

/** Common shape of all reports, from which the chart, the table and the CSV file are made. */
export interface ReportData {
  /** Heading of the first column. */
  heading: string;
  labels: string[];
  series: Series[];
  /** Stacks the bars, for parts of a whole. */
  stacked?: boolean;
  /** The rows are agents, not points in time. */
  isRanking?: boolean;
}

type Buckets<T> = Record<string, T>;

const sum = (values: (number | null)[]): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Bucket names of hours, days and months sort chronologically. */
const entriesOf = <T>(buckets: Buckets<T>): [string, T][] =>
  Object.entries(buckets).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

export const countsOf = <T>(
  buckets: Buckets<T>,
  counts: [title: string, read: (bucket: T) => number][],
  unit: Unit = 'count',
): Series[] =>
  counts.map(([title, read]) => {
    const values = entriesOf(buckets).map(([, bucket]) => read(bucket));
    return { title, unit, values, total: sum(values) };
  });

interface Average {
  count: number;
  value: number | null;
}

/** The total is weighted by the number of measurements. */
export const averageOf = <T>(buckets: Buckets<T>, title: string, unit: Unit, read: (bucket: T) => Average): Series => {
  const averages = entriesOf(buckets).map(([, bucket]) => read(bucket));
  const measured = sum(averages.map(({ count, value }) => (value === null ? 0 : count)));
  const weightedSum = sum(averages.map(({ count, value }) => (value === null ? 0 : count * value)));
  return {
    ...{ title, unit },
    values: averages.map(({ value }) => value),
    total: measured === 0 ? null : weightedSum / measured,
  };
};

/** The minimum or maximum over all buckets. */
export const extremeOf = <T>(
  buckets: Buckets<T>,
  title: string,
  pick: (...values: number[]) => number,
  read: (bucket: T) => number | null,
): Series => {
  const values = entriesOf(buckets).map(([, bucket]) => read(bucket));
  const numbers = values.filter((value) => value !== null);
  return { title, unit: 'seconds', values, total: numbers.length === 0 ? null : pick(...numbers), isTableOnly: true };
};

export const asTableOnly = (series: Series): Series => ({ ...series, isTableOnly: true });

export const toReportData = <T>(buckets: Buckets<T>, series: Series[], stacked = false): ReportData => ({
  heading: t('time'),
  labels: entriesOf(buckets).map(([name]) => name),
  series,
  stacked,
});
