import { Group, ScrollArea, SegmentedControl, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { filterControls, useFilters } from '../../app/use-filters.ts';
import { Choice, GroupChoice } from '../../design/choices.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { FilterDrawer } from '../../design/filter-drawer.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty } from '../../design/states.tsx';
import { fewColumns, visitorColumns } from './columns.tsx';
import { chooseVisitors, countFilters, countriesOf, VISITOR_FILTERS } from './filters.ts';
import { t } from './t.ts';
import { STATE_NAMES, type Visitor } from './visitor.ts';
import classes from './visitors.module.css';

const STATES = [
  { value: 'all', label: t('all') },
  ...Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label })),
];
const ORDERS = [
  { value: 'longest', label: t('longestOnSite') },
  { value: 'pages', label: t('mostPages') },
  { value: 'chats', label: t('mostChats') },
  { value: 'name', label: t('name') },
];

const keyOf = ({ id }: Visitor): string => id;

export const VisitorTable = ({ visitors }: { visitors: Visitor[] }) => {
  const [filters, change, clear] = useFilters(VISITOR_FILTERS);
  const control = filterControls(filters, change);
  const navigate = useNavigate();
  const isSmall = useMediaQuery('(max-width: 48em)');
  const chosen = useMemo(() => chooseVisitors(visitors, filters), [visitors, filters]);
  const open = useCallback(
    ({ id }: Visitor) => void navigate({ to: '/visitors/$', params: { _splat: id }, search: true as never }),
    [navigate],
  );
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const countries = countriesOf(visitors).map((name) => ({ value: name, label: name }));
  return (
    <>
      <Group gap="xs" mb="xs" role="search" wrap="nowrap">
        <div style={{ flex: 1, maxWidth: '26rem' }}>
          <SearchBox label={t('searchVisitors')} {...control('q')} />
        </div>
        <FilterDrawer count={countFilters(filters)} onClear={clear}>
          <GroupChoice label={t('group')} {...control('group')} />
          <Choice label={t('country')} {...control('country')} options={countries} />
          <Choice label={t('sortBy')} none={t('newestFirst')} {...control('order')} options={ORDERS} />
        </FilterDrawer>
        <Text size="sm" c="dimmed" role="status" ml="auto">
          {isFiltered
            ? t('visitorCountOf', { count: chosen.length, total: visitors.length })
            : t('visitorCount', { count: chosen.length })}
        </Text>
      </Group>
      <ScrollArea mb="xs" type="never" style={{ flex: 'none' }}>
        <SegmentedControl
          aria-label={t('status')}
          size="xs"
          data={STATES}
          value={filters.state ?? 'all'}
          onChange={(state) => change({ state: state === 'all' ? undefined : state })}
        />
      </ScrollArea>
      {chosen.length === 0 ? (
        <Empty title={isFiltered ? t('noMatchingVisitors') : t('noVisitorsOnline')}>
          {isFiltered ? t('tryOtherFilters') : t('visitorsAppearHereAsSoon')}
        </Empty>
      ) : (
        <div className={classes.table}>
          <DataTable
            label={t('visitors')}
            columns={isSmall ? fewColumns : visitorColumns}
            rows={chosen}
            rowKey={keyOf}
            onOpen={open}
          />
        </div>
      )}
    </>
  );
};
