import { useQuery } from '@tanstack/react-query';
import { listGoals } from '#contracts/chat-ops/goals.ts';
import { listGreetings } from '#contracts/chat-ops/greetings.ts';
import { callRest } from '../../api/call.ts';
import { filterControls } from '../../app/use-filters.ts';
import { AgentChoice, Choice, GroupChoice, TagChoice, TextChoice, ZoneChoice } from '../../design/choices.tsx';
import { FilterBar } from '../../design/filter-bar.tsx';
import { locale } from '../../i18n/language.ts';
import { accepts, DEFAULT_WEEKDAY, type ReportFilters, WEEKDAYS } from './query.ts';
import { DEFAULT_PRESET, isPreset, PRESETS, type Range } from './range.ts';
import type { Report } from './reports.ts';
import { t } from './t.ts';

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));
const toOption = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name });

const RANGES = optionsOf({
  ...Object.fromEntries(Object.entries(PRESETS).filter(([name]) => name !== DEFAULT_PRESET)),
  custom: t('customRange'),
});
const BUCKETS = optionsOf({ hour: t('hours'), day: t('days'), month: t('months') });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
/** 1970-01-05 was a Monday. */
const nameOfDay = (day: string): string => weekday.format(Date.UTC(1970, 0, 5 + WEEKDAYS.indexOf(day)));
const DAYS = WEEKDAYS.filter((day) => day !== DEFAULT_WEEKDAY).map((day) => ({ value: day, label: nameOfDay(day) }));
const SALES = optionsOf({ 1: t('trackedSales') });

interface Props {
  report: Report;
  filters: ReportFilters;
  /** The resolved range. */
  range: Range;
  onChange(patch: ReportFilters): void;
}

const GoalChoice = (choice: { value: string | undefined; onChange(value: string | undefined): void }) => {
  const { data = [] } = useQuery({ queryKey: ['goals'], queryFn: () => callRest(listGoals, {}) });
  return <Choice label={t('goal')} {...choice} options={data.map(toOption)} />;
};

const GreetingChoice = (choice: { value: string | undefined; onChange(value: string | undefined): void }) => {
  const { data = [] } = useQuery({
    queryKey: ['greetings', 'all'],
    queryFn: () => callRest(listGreetings, {}),
  });
  return <Choice label={t('greeting')} {...choice} options={data.map(toOption)} />;
};

/** Shows only the controls that the report's operation accepts. */
export const ReportControls = ({ report: { operation }, filters, range, onChange }: Props) => {
  const control = filterControls(filters, onChange);
  const has = (...names: string[]): boolean => names.some((name) => accepts(operation, name));
  const chooseRange = (name: string | undefined): void =>
    onChange(name === 'custom' ? { range: name, ...range } : { range: name, from: undefined, to: undefined });
  return (
    <FilterBar>
      {has('date_from') && (
        <Choice
          label={t('dateRange')}
          none={PRESETS[DEFAULT_PRESET]}
          value={filters.range === 'custom' || isPreset(filters.range) ? filters.range : undefined}
          onChange={chooseRange}
          options={RANGES}
        />
      )}
      {has('date_from') && filters.range === 'custom' && (
        <>
          <TextChoice type="date" label={t('from')} {...control('from')} value={range.from} max={range.to} />
          <TextChoice type="date" label={t('to')} {...control('to')} value={range.to} min={range.from} />
        </>
      )}
      {has('weekday') && (
        <Choice label={t('weekday')} none={nameOfDay(DEFAULT_WEEKDAY)} {...control('weekday')} options={DAYS} />
      )}
      {has('group_by') && <Choice label={t('groupBy')} none={t('auto')} {...control('by')} options={BUCKETS} />}
      {has('group', 'groups') && <GroupChoice label={t('group')} {...control('group')} />}
      {has('agent', 'agents') && <AgentChoice label={t('agent')} {...control('agent')} />}
      {has('tag') && <TagChoice label={t('tag')} {...control('tag')} />}
      {has('goal') && <GoalChoice {...control('goal')} />}
      {has('greeting') && <GreetingChoice {...control('greeting')} />}
      {has('sales_tracker') && <Choice label={t('count')} none={t('goals')} {...control('sales')} options={SALES} />}
      {has('currency') && (
        <TextChoice
          label={t('currency')}
          placeholder={t('all')}
          maxLength={3}
          w="6rem"
          value={filters.currency}
          onChange={(currency) => onChange({ currency: currency?.toUpperCase() })}
        />
      )}
      {has('timezone') && <ZoneChoice {...control('zone')} />}
    </FilterBar>
  );
};
