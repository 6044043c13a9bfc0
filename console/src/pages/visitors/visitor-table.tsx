import { Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useFilters } from '../../app/use-filters.ts';
import { Choice, GroupChoice } from '../../design/choices.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { FilterBar } from '../../design/filter-bar.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty } from '../../design/states.tsx';
import { visitorColumns } from './columns.tsx';
import { chooseVisitors, countriesOf, VISITOR_FILTERS } from './filters.ts';
import { STATE_NAMES, type Visitor } from './visitor.ts';

const STATES = Object.entries(STATE_NAMES).map(([value, label]) => ({ value, label }));
const ORDERS = [
  { value: 'longest', label: 'Longest on the site' },
  { value: 'pages', label: 'Most pages' },
  { value: 'chats', label: 'Most chats' },
  { value: 'name', label: 'Name' },
];

const nounOf = (count: number): string => `${count.toLocaleString()} ${count === 1 ? 'visitor' : 'visitors'}`;
const keyOf = ({ id }: Visitor): string => id;

export const VisitorTable = ({ visitors }: { visitors: Visitor[] }) => {
  const [filters, change, clear] = useFilters(VISITOR_FILTERS);
  const navigate = useNavigate();
  const chosen = useMemo(() => chooseVisitors(visitors, filters), [visitors, filters]);
  const open = useCallback(
    ({ id }: Visitor) => void navigate({ to: '/visitors/$', params: { _splat: id }, search: true as never }),
    [navigate],
  );
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const countries = countriesOf(visitors).map((name) => ({ value: name, label: name }));
  return (
    <>
      <FilterBar
        onClear={isFiltered ? clear : undefined}
        aside={
          <Text size="sm" c="dimmed" role="status">
            {isFiltered ? `${nounOf(chosen.length)} of ${visitors.length.toLocaleString()}` : nounOf(chosen.length)}
          </Text>
        }
      >
        <SearchBox label="Search visitors" value={filters.q} onChange={(q) => change({ q })} />
        <Choice label="State" value={filters.state} onChange={(state) => change({ state })} options={STATES} />
        <GroupChoice label="Group" value={filters.group} onChange={(group) => change({ group })} />
        {countries.length > 0 && (
          <Choice
            label="Country"
            value={filters.country}
            onChange={(country) => change({ country })}
            options={countries}
          />
        )}
        <Choice
          label="Order"
          none="Latest first"
          value={filters.order}
          onChange={(order) => change({ order })}
          options={ORDERS}
        />
      </FilterBar>
      {chosen.length === 0 ? (
        <Empty title={isFiltered ? 'Nobody fits' : 'Nobody is on the site'}>
          {isFiltered ? 'Somebody else may: change the filters.' : 'Visitors appear here by themselves.'}
        </Empty>
      ) : (
        <DataTable label="Visitors" columns={visitorColumns} rows={chosen} rowKey={keyOf} onOpen={open} />
      )}
    </>
  );
};
