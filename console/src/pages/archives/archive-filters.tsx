import { useQuery } from '@tanstack/react-query';
import { listGoals } from '#contracts/chat-ops/goals.ts';
import { callRest } from '../../api/call.ts';
import { filterControls } from '../../app/use-filters.ts';
import { AgentChoice, Choice, GroupChoice, TagsChoice, TextChoice, YES_NO, ZoneChoice } from '../../design/choices.tsx';
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
  const { data: goals = [] } = useQuery({ queryKey: ['goals'], queryFn: () => callRest(listGoals, {}) });
  const control = filterControls(filters, onChange);
  const choicesOf = (isSale: boolean) =>
    goals
      .filter(({ type }) => (type === 'sales_tracker') === isSale)
      .map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <FilterDrawer count={countFilters(filters)} onClear={onClear}>
      <TextChoice type="date" label={t('from')} {...control('from')} />
      <TextChoice type="date" label={t('to')} {...control('to')} />
      <ZoneChoice {...control('zone')} />
      <AgentChoice label={t('agent')} {...control('agent')} />
      <GroupChoice label={t('group')} {...control('group')} />
      <TagsChoice label={t('tags')} {...control('tags')} />
      <Choice label={t('rating')} {...control('rate')} options={RATES} />
      <Choice label={t('type')} {...control('type')} options={TYPES} />
      <Choice label={t('ongoingChats')} none={t('endedChatsOnly')} {...control('pending')} options={PENDING} />
      <Choice label={t('goal')} {...control('goal')} options={choicesOf(false)} />
      <Choice label={t('sale')} {...control('sale')} options={choicesOf(true)} />
      {YES_NO_FILTERS.map(([name, label]) => (
        <Choice key={name} label={label} {...control(name)} options={YES_NO} />
      ))}
      {TEXT_FILTERS.map(([name, label, maxLength]) => (
        <TextChoice key={name} label={label} maxLength={maxLength} {...control(name)} />
      ))}
    </FilterDrawer>
  );
};
