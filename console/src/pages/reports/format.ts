import type { Cell } from '../../design/csv.ts';
import type { Shaped, Unit } from './shape.ts';

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

const formatSeconds = (seconds: number): string => {
  if (seconds < 60) return `${number.format(Math.round(seconds * 10) / 10)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

export const formatValue = (value: number | null, unit: Unit): string => {
  if (value === null) return '—';
  if (unit === 'seconds') return formatSeconds(value);
  if (unit === 'hours') return `${number.format(value)} h`;
  if (unit === 'share') return `${number.format(value * 100)} %`;
  return number.format(value);
};

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** `09:00`, `15 Nov`, `15 Nov 09:00`, `Nov 2026`; whatever else it is stays. */
export const formatLabel = (label: string): string => {
  const [, date, hour] = /^(\d{4}-\d{2}(?:-\d{2})?)(?: (\d{2}:\d{2}))?$/.exec(label) ?? [];
  if (!date) return label;
  if (date.length === 7) return month.format(new Date(`${date}-01T00:00:00Z`));
  const name = day.format(new Date(`${date}T00:00:00Z`));
  return hour ? `${name} ${hour}` : name;
};

const UNIT_WORDS: Record<Unit, string> = {
  count: '',
  seconds: ' (seconds)',
  hours: ' (hours)',
  share: ' (share)',
  money: '',
};

/** A table of numbers as they are, for other programs. */
export const toRows = ({ heading, labels, series }: Shaped): Cell[][] => [
  [heading, ...series.map(({ title, unit }) => `${title}${UNIT_WORDS[unit]}`)],
  ...labels.map((label, index) => [label, ...series.map(({ values }) => values[index])]),
  ['Total', ...series.map(({ total }) => total)],
];
