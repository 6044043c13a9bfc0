import { Badge, Group, ScrollArea, SegmentedControl, Text } from '@mantine/core';
import type { Ticket } from '#contracts/agent/tickets.ts';
import { useFilters } from '../../app/use-filters.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { ItemList } from '../../design/item-list.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { TimeAgo } from '../../design/time-ago.tsx';
import { countFilters, STATUS_NAMES, STATUSES, statusOf, TICKET_FILTERS } from './filters.ts';
import { StatusBadge } from './status-badge.tsx';
import { t } from './t.ts';
import { TicketFilterDrawer } from './ticket-filters.tsx';
import { useTicketList } from './use-tickets.ts';

const NAMES = [...TICKET_FILTERS, 'page'] as const;
const STATUS_CHOICES = [
  ...STATUSES.map((status) => ({ value: status as string, label: STATUS_NAMES[status] })),
  { value: 'all', label: t('all') },
];

const Item = ({ subject, requester, status, assignee, tags, modified_at }: Ticket) => (
  <>
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <Text size="sm" fw={600} truncate>
        {subject}
      </Text>
      <Dimmed size="xs" style={{ flex: 'none' }}>
        <TimeAgo at={modified_at} short />
      </Dimmed>
    </Group>
    <Dimmed size="xs" truncate>
      {requester.name || requester.mail} · {assignee ? assignee.name : t('unassigned')}
    </Dimmed>
    <Group gap={4} mt={4}>
      <StatusBadge status={status} />
      {tags.map((tag) => (
        <Badge key={tag} size="sm" variant="light" maw="10rem">
          {tag}
        </Badge>
      ))}
    </Group>
  </>
);

export const TicketList = ({ currentId }: { currentId: string | undefined }) => {
  const [filters, change, clear] = useFilters(NAMES);
  const query = useTicketList(filters);
  const isFiltered = countFilters(filters) > 0 || filters.q !== undefined || filters.status !== undefined;
  // Changing a filter resets the page.
  const filter = (patch: Parameters<typeof change>[0]): void => change({ page: undefined, ...patch });
  return (
    <>
      <Group gap="xs" mb="xs" role="search" wrap="nowrap" align="flex-end">
        <div style={{ flex: 1 }}>
          <SearchBox label={t('searchTickets')} value={filters.q} onChange={(q) => filter({ q })} />
        </div>
        <TicketFilterDrawer filters={filters} onChange={filter} onClear={clear} />
      </Group>
      <ScrollArea mb="xs" type="never" style={{ flex: 'none' }}>
        <SegmentedControl
          aria-label={t('status')}
          size="xs"
          data={STATUS_CHOICES}
          value={statusOf(filters) ?? 'all'}
          onChange={(status) => filter({ status: status === 'open' ? undefined : status })}
        />
      </ScrollArea>
      <Loaded
        query={query}
        isEmpty={({ tickets }) => tickets.length === 0}
        empty={<Empty title={t('noTickets')}>{isFiltered ? t('tryOtherFilters') : t('newTicketsFromEmailThe')}</Empty>}
      >
        {({ tickets, total, pages }) => (
          <ItemList
            label={t('tickets')}
            to="/tickets/$"
            items={tickets}
            currentId={currentId}
            render={Item}
            page={filters.page}
            pages={pages}
            totalLabel={t('ticketCount', { count: total })}
            onPage={(page) => change({ page })}
          />
        )}
      </Loaded>
    </>
  );
};
