import { TextInput } from '@mantine/core';
import { joinValues, splitValues } from '../../app/use-filters.ts';
import { AgentChoice, Choice, GroupChoice, TagsChoice, YES_NO } from '../../design/choices.tsx';
import { FilterDrawer } from '../../design/filter-drawer.tsx';
import { countFilters, SOURCE_NAMES, type TicketFilters } from './filters.ts';
import { t } from './t.ts';

interface Props {
  filters: TicketFilters;
  onChange(patch: TicketFilters): void;
  onClear(): void;
}

const SOURCES = Object.entries(SOURCE_NAMES).map(([value, label]) => ({ value, label }));
const ME_OR_NOBODY = [
  { value: 'me', label: t('me') },
  { value: 'nobody', label: t('unassigned') },
];
const OLDEST = [{ value: 'asc', label: t('oldestUpdateFirst') }];

export const TicketFilterDrawer = ({ filters, onChange, onClear }: Props) => {
  const set = (name: keyof TicketFilters) => (value: string | undefined) => onChange({ [name]: value });
  return (
    <FilterDrawer count={countFilters(filters)} onClear={onClear}>
      <AgentChoice label={t('assignee')} value={filters.assignee} onChange={set('assignee')} more={ME_OR_NOBODY} />
      <GroupChoice label={t('group')} value={filters.group} onChange={set('group')} />
      <TagsChoice
        label={t('tags')}
        value={splitValues(filters.tags)}
        onChange={(tags) => set('tags')(joinValues(tags))}
      />
      <Choice label={t('hasAnyTag')} value={filters.tagged} onChange={set('tagged')} options={YES_NO} />
      <Choice label={t('source')} value={filters.source} onChange={set('source')} options={SOURCES} />
      <TextInput
        label={t('requesterEmail')}
        value={filters.mail ?? ''}
        maxLength={254}
        onChange={({ currentTarget }) => set('mail')(currentTarget.value.trim() || undefined)}
      />
      <TextInput
        type="date"
        label={t('updatedFrom')}
        value={filters.from ?? ''}
        onChange={({ currentTarget }) => set('from')(currentTarget.value || undefined)}
      />
      <TextInput
        type="date"
        label={t('updatedTo')}
        value={filters.to ?? ''}
        onChange={({ currentTarget }) => set('to')(currentTarget.value || undefined)}
      />
      <Choice
        label={t('sortBy')}
        none={t('newestUpdateFirst')}
        value={filters.order}
        onChange={set('order')}
        options={OLDEST}
      />
    </FilterDrawer>
  );
};
