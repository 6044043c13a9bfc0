import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { listGoals } from '#contracts/chat-ops/goals.ts';
import { callRest } from '../../api/call.ts';
import { joinValues, splitValues } from '../../app/use-filters.ts';
import { AgentChoice, Choice, GroupChoice, TagsChoice, YES_NO, ZoneChoice } from '../../design/choices.tsx';
import { FilterDrawer } from '../../design/filter-drawer.tsx';
import { type ArchiveFilters, countFilters } from './filters.ts';
import { t } from './t.ts';

interface Props {
  filters: ArchiveFilters;
  onChange(patch: ArchiveFilters): void;
  onClear(): void;
}

const RATES = [
  { value: 'rated', label: t('rated') },
  { value: 'rated_good', label: t('ratedGood') },
  { value: 'rated_bad', label: t('ratedBad') },
  { value: 'not_rated', label: t('notRated') },
];
const TYPES = [
  { value: 'chat', label: t('chats') },
  { value: 'missed_chat', label: t('missedChats') },
];
const PENDING = [{ value: '1', label: t('includeOngoingChats') }];

const YES_NO_FILTERS = [
  ['tagged', t('hasAnyTag')],
  ['comment', t('hasRatingComment')],
  ['has_goal', t('reachedAGoal')],
  ['has_sale', t('madeAPurchase')],
  ['queued', t('waitedInQueue')],
] as const;

const TEXT_FILTERS = [
  ['visitor', t('visitorID'), 256],
  ['city', t('city'), 200],
  ['region', t('region'), 200],
  ['country', t('country'), 200],
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
        label={t('from')}
        value={filters.from ?? ''}
        onChange={({ currentTarget }) => set('from')(currentTarget.value || undefined)}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={filters.to ?? ''}
        onChange={({ currentTarget }) => set('to')(currentTarget.value || undefined)}
      />
      <ZoneChoice value={filters.zone} onChange={set('zone')} />
      <AgentChoice label={t('agent')} value={filters.agent} onChange={set('agent')} />
      <GroupChoice label={t('group')} value={filters.group} onChange={set('group')} />
      <TagsChoice
        label={t('tags')}
        value={splitValues(filters.tags)}
        onChange={(tags) => set('tags')(joinValues(tags))}
      />
      <Choice label={t('rating')} value={filters.rate} onChange={set('rate')} options={RATES} />
      <Choice label={t('type')} value={filters.type} onChange={set('type')} options={TYPES} />
      <Choice
        label={t('ongoingChats')}
        none={t('endedChatsOnly')}
        value={filters.pending}
        onChange={set('pending')}
        options={PENDING}
      />
      <Choice label={t('goal')} value={filters.goal} onChange={set('goal')} options={choicesOf(false)} />
      <Choice label={t('sale')} value={filters.sale} onChange={set('sale')} options={choicesOf(true)} />
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
