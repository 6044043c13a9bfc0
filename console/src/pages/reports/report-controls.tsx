import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listGoals } from '#contracts/chat-ops/goals.ts';
import { listGreetings } from '#contracts/chat-ops/greetings.ts';
import { callRest } from '../../api/call.ts';
import { AgentChoice, Choice, GroupChoice, TagChoice, ZoneChoice } from '../../design/choices.tsx';
import { FilterBar } from '../../design/filter-bar.tsx';
import { type ReportFilters, takes, WEEKDAYS } from './query.ts';
import { DEFAULT_PRESET, isPreset, PRESETS, type Range } from './range.ts';
import type { Report } from './reports.ts';

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));
const toOption = ({ id, name }: { id: number; name: string }) => ({ value: String(id), label: name });

const RANGES = optionsOf({
  ...Object.fromEntries(Object.entries(PRESETS).filter(([name]) => name !== DEFAULT_PRESET)),
  custom: 'Days of your choice',
});
const BUCKETS = optionsOf({ hour: 'Hours', day: 'Days', month: 'Months' });
const DAYS = optionsOf(Object.fromEntries(Object.entries(WEEKDAYS).filter(([name]) => name !== 'mon')));
const SALES = optionsOf({ 1: 'Tracked sales' });

interface Props {
  report: Report;
  filters: ReportFilters;
  /** What the range comes to. */
  range: Range;
  onChange(patch: ReportFilters): void;
}

const GoalChoice = (choice: { value: string | undefined; onChange(value: string | undefined): void }) => {
  const { data = [] } = useQuery({ queryKey: ['goals'], queryFn: () => callRest(listGoals, { query: {} }) });
  return <Choice label="Goal" {...choice} options={data.map(toOption)} />;
};

const GreetingChoice = (choice: { value: string | undefined; onChange(value: string | undefined): void }) => {
  const { data = [] } = useQuery({
    queryKey: ['greetings', 'all'],
    queryFn: () => callRest(listGreetings, { query: {} }),
  });
  return <Choice label="Greeting" {...choice} options={data.map(toOption)} />;
};

/** The controls that the report's operation takes, and no others. */
export const ReportControls = ({ report: { operation }, filters, range, onChange }: Props) => {
  const set = (name: keyof ReportFilters) => (value: string | undefined) => onChange({ [name]: value });
  const control = (name: keyof ReportFilters) => ({ value: filters[name], onChange: set(name) });
  const has = (...names: string[]): boolean => names.some((name) => takes(operation, name));
  const chooseRange = (name: string | undefined): void =>
    onChange(name === 'custom' ? { range: name, ...range } : { range: name, from: undefined, to: undefined });
  return (
    <FilterBar>
      {has('date_from') && (
        <Choice
          label="Range"
          none={PRESETS[DEFAULT_PRESET]}
          value={filters.range === 'custom' || isPreset(filters.range) ? filters.range : undefined}
          onChange={chooseRange}
          options={RANGES}
        />
      )}
      {has('date_from') && filters.range === 'custom' && (
        <>
          <TextInput
            type="date"
            label="From"
            value={range.from}
            max={range.to}
            onChange={({ currentTarget }) => set('from')(currentTarget.value || undefined)}
          />
          <TextInput
            type="date"
            label="Until"
            value={range.to}
            min={range.from}
            onChange={({ currentTarget }) => set('to')(currentTarget.value || undefined)}
          />
        </>
      )}
      {has('weekday') && <Choice label="Weekday" none="Monday" {...control('weekday')} options={DAYS} />}
      {has('group_by') && <Choice label="By" none="As it fits" {...control('by')} options={BUCKETS} />}
      {has('group', 'groups') && <GroupChoice label="Group" {...control('group')} />}
      {has('agent', 'agents') && <AgentChoice label="Agent" {...control('agent')} />}
      {has('tag') && <TagChoice label="Tag" {...control('tag')} />}
      {has('goal') && <GoalChoice {...control('goal')} />}
      {has('greeting') && <GreetingChoice {...control('greeting')} />}
      {has('sales_tracker') && <Choice label="Count" none="Goals" {...control('sales')} options={SALES} />}
      {has('currency') && (
        <TextInput
          label="Currency"
          placeholder="All"
          maxLength={3}
          w="6rem"
          value={filters.currency ?? ''}
          onChange={({ currentTarget }) => set('currency')(currentTarget.value.toUpperCase() || undefined)}
        />
      )}
      {has('timezone') && <ZoneChoice {...control('zone')} />}
    </FilterBar>
  );
};
