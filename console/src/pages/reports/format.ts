import type { Cell } from '../../design/csv.ts';
import { locale } from '../../i18n/language.ts';
import type { ReportData, Unit } from './report-data.ts';
import { t } from './t.ts';

const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
const unitFormat = (unit: string, maximumFractionDigits = 0) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits });
const secondsFormat = unitFormat('second', 1);
const minutesFormat = unitFormat('minute');
const hoursFormat = unitFormat('hour', 2);

const formatSeconds = (seconds: number): string => {
  if (seconds < 60) return secondsFormat.format(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutesFormat.format(minutes)} ${secondsFormat.format(Math.round(seconds % 60))}`;
  return `${hoursFormat.format(Math.floor(minutes / 60))} ${minutesFormat.format(minutes % 60)}`;
};

export const formatValue = (value: number | null, unit: Unit): string => {
  if (value === null) return '—';
  if (unit === 'seconds') return formatSeconds(value);
  if (unit === 'hours') return hoursFormat.format(value);
  if (unit === 'share') return percent.format(value);
  return number.format(value);
};

const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** `09:00`, `Nov 15`, `Nov 15 09:00`, `Nov 2026`; other labels are returned as they are. */
export const formatLabel = (label: string): string => {
  const [, date, hour] = /^(\d{4}-\d{2}(?:-\d{2})?)(?: (\d{2}:\d{2}))?$/.exec(label) ?? [];
  if (!date) return label;
  if (date.length === 7) return month.format(new Date(`${date}-01T00:00:00Z`));
  const name = day.format(new Date(`${date}T00:00:00Z`));
  return hour ? `${name} ${hour}` : name;
};

const withUnit = (title: string, unit: Unit): string => {
  if (unit === 'seconds') return t('csv.seconds', { title });
  if (unit === 'hours') return t('csv.hours', { title });
  return unit === 'share' ? t('csv.share', { title }) : title;
};

/** Unformatted numbers, for spreadsheets. */
export const toRows = ({ heading, labels, series }: ReportData): Cell[][] => [
  [heading, ...series.map(({ title, unit }) => withUnit(title, unit))],
  ...labels.map((label, index) => [label, ...series.map(({ values }) => values[index])]),
  [t('total'), ...series.map(({ total }) => total)],
];
