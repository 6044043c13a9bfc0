import { filterControls } from '../../app/use-filters.ts';
import { AgentChoice, Choice, GroupChoice, TagsChoice, TextChoice, YES_NO } from '../../design/choices.tsx';
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
  { value: 'unassigned', label: t('unassigned') },
];
const OLDEST = [{ value: 'asc', label: t('oldestUpdateFirst') }];

export const TicketFilterDrawer = ({ filters, onChange, onClear }: Props) => {
  const control = filterControls(filters, onChange);
  return (
    <FilterDrawer count={countFilters(filters)} onClear={onClear}>
      <AgentChoice label={t('assignee')} {...control('assignee')} more={ME_OR_NOBODY} />
      <GroupChoice label={t('group')} {...control('group')} />
      <TagsChoice label={t('tags')} {...control('tags')} />
      <Choice label={t('hasAnyTag')} {...control('tagged')} options={YES_NO} />
      <Choice label={t('source')} {...control('source')} options={SOURCES} />
      <TextChoice
        label={t('requesterEmail')}
        maxLength={254}
        value={filters.mail}
        onChange={(mail) => onChange({ mail: mail?.trim() })}
      />
      <TextChoice type="date" label={t('updatedFrom')} {...control('from')} />
      <TextChoice type="date" label={t('updatedTo')} {...control('to')} />
      <Choice label={t('sortBy')} none={t('newestUpdateFirst')} {...control('order')} options={OLDEST} />
    </FilterDrawer>
  );
};
