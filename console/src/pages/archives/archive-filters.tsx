import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listGoals } from '#contracts/chat-ops/goals.ts';
import { callRest } from '../../api/call.ts';
import { joinValues, splitValues } from '../../app/use-filters.ts';
import { AgentChoice, Choice, GroupChoice, TagsChoice, YES_NO, ZoneChoice } from '../../design/choices.tsx';
import { FilterDrawer } from '../../design/filter-drawer.tsx';
import { type ArchiveFilters, countFilters } from './filters.ts';

interface Props {
  filters: ArchiveFilters;
  onChange(patch: ArchiveFilters): void;
  onClear(): void;
}

const RATES = [
  { value: 'rated', label: 'Rated' },
  { value: 'rated_good', label: 'Rated good' },
  { value: 'rated_bad', label: 'Rated bad' },
  { value: 'not_rated', label: 'Not rated' },
];
const TYPES = [
  { value: 'chat', label: 'Chats' },
  { value: 'missed_chat', label: 'Missed chats' },
];
const PENDING = [{ value: '1', label: 'Also those that go on' }];

const YES_NO_FILTERS = [
  ['tagged', 'Has any tag'],
  ['comment', 'Has a comment on its rating'],
  ['has_goal', 'Reached any goal'],
  ['has_sale', 'Had any sale'],
  ['queued', 'Waited in the queue'],
] as const;

const TEXT_FILTERS = [
  ['visitor', 'Visitor’s id', 256],
  ['city', 'City', 200],
  ['region', 'Region', 200],
  ['country', 'Country', 200],
] as const;

export const ArchiveFilterDrawer = ({ filters, onChange, onClear }: Props) => {
  const { data: goals = [] } = useQuery({ queryKey: ['goals'], queryFn: () => callRest(listGoals, { query: {} }) });
  const set = (name: keyof ArchiveFilters) => (value: string | undefined) => onChange({ [name]: value });
  const choicesOf = (isSale: boolean) =>
    goals
      .filter(({ type }) => (type === 'sales_tracker') === isSale)
      .map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <FilterDrawer count={countFilters(filters)} onClear={onClear}>
      <TextInput
        type="date"
        label="From"
        value={filters.from ?? ''}
        onChange={({ currentTarget }) => set('from')(currentTarget.value || undefined)}
      />
      <TextInput
        type="date"
        label="Until"
        value={filters.to ?? ''}
        onChange={({ currentTarget }) => set('to')(currentTarget.value || undefined)}
      />
      <ZoneChoice value={filters.zone} onChange={set('zone')} />
      <AgentChoice label="Agent" value={filters.agent} onChange={set('agent')} />
      <GroupChoice label="Group" value={filters.group} onChange={set('group')} />
      <TagsChoice label="Tags" value={splitValues(filters.tags)} onChange={(tags) => set('tags')(joinValues(tags))} />
      <Choice label="Rating" value={filters.rate} onChange={set('rate')} options={RATES} />
      <Choice label="Kind" value={filters.type} onChange={set('type')} options={TYPES} />
      <Choice
        label="Open chats"
        none="Only those that have ended"
        value={filters.pending}
        onChange={set('pending')}
        options={PENDING}
      />
      <Choice label="Goal" value={filters.goal} onChange={set('goal')} options={choicesOf(false)} />
      <Choice label="Sale" value={filters.sale} onChange={set('sale')} options={choicesOf(true)} />
      {YES_NO_FILTERS.map(([name, label]) => (
        <Choice key={name} label={label} value={filters[name]} onChange={set(name)} options={YES_NO} />
      ))}
      {TEXT_FILTERS.map(([name, label, maxLength]) => (
        <TextInput
          key={name}
          label={label}
          maxLength={maxLength}
          value={filters[name] ?? ''}
          onChange={({ currentTarget }) => set(name)(currentTarget.value || undefined)}
        />
      ))}
    </FilterDrawer>
  );
};
