import { t } from './t.ts';

/** How a number is said. */
export type Unit = 'count' | 'seconds' | 'hours' | 'share' | 'money';

export interface Series {
  title: string;
  unit: Unit;
  /** `null` where there was nothing to measure. */
  values: (number | null)[];
  /** Of the whole range. */
  total: number | null;
  /** Otherwise the chart picks one by position. */
  color?: 'good' | 'bad';
  /** In the table only: beside the others it would be too many, or of another kind. */
  isAside?: boolean;
}

/** What every report becomes, however it was answered: a chart, a table and a file are all made of it. */
export interface Shaped {
  /** What the rows are. */
  heading: string;
  labels: string[];
  series: Series[];
  /** Bars side by side say nothing of their sum; parts of a whole are put upon each other. */
  stacked?: boolean;
  /** The rows are agents, not points in time. */
  isRanking?: boolean;
}

type Buckets<T> = Record<string, T>;

const sum = (values: (number | null)[]): number => values.reduce<number>((total, value) => total + (value ?? 0), 0);

/** Buckets sort by their names: hours, days and months alike. */
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

/** An average of averages counts each bucket by how much was measured in it. */
export const averageOf = <T>(buckets: Buckets<T>, title: string, unit: Unit, read: (bucket: T) => Average): Series => {
  const averages = entriesOf(buckets).map(([, bucket]) => read(bucket));
  const measured = sum(averages.map(({ count, value }) => (value === null ? 0 : count)));
  const weighed = sum(averages.map(({ count, value }) => (value === null ? 0 : count * value)));
  return {
    ...{ title, unit },
    values: averages.map(({ value }) => value),
    total: measured === 0 ? null : weighed / measured,
  };
};

/** The smallest or the greatest of what each bucket tells. */
export const extremeOf = <T>(
  buckets: Buckets<T>,
  title: string,
  pick: (...values: number[]) => number,
  read: (bucket: T) => number | null,
): Series => {
  const values = entriesOf(buckets).map(([, bucket]) => read(bucket));
  const known = values.filter((value) => value !== null);
  return { title, unit: 'seconds', values, total: known.length === 0 ? null : pick(...known), isAside: true };
};

export const aside = (series: Series): Series => ({ ...series, isAside: true });

export const shapeBuckets = <T>(buckets: Buckets<T>, series: Series[], stacked = false): Shaped => ({
  heading: t('time'),
  labels: entriesOf(buckets).map(([name]) => name),
  series,
  stacked,
});
