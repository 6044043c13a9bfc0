import { Badge, Group, Text } from '@mantine/core';
import type { ArchivedChat } from '#contracts/chat-ops/chats.ts';
import { useFilters } from '../../app/use-filters.ts';
import { Dimmed } from '../../design/dimmed.tsx';
import { ItemList } from '../../design/item-list.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { formatSpan, formatTime } from '../../design/time-ago.tsx';
import { ArchiveFilterDrawer } from './archive-filters.tsx';
import { ARCHIVE_FILTERS, countFilters, toArchiveQuery } from './filters.ts';
import { t } from './t.ts';
import { RATE_NAMES } from './to-rows.ts';
import { useArchiveList } from './use-archives.ts';

export const ARCHIVE_NAMES = [...ARCHIVE_FILTERS, 'page'] as const;

const Item = (chat: ArchivedChat) => {
  const { visitor, agents, rate, tags, started_timestamp, duration, messages, pending, type } = chat;
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} truncate>
          {visitor.name}
        </Text>
        <Dimmed size="xs" style={{ flex: 'none' }}>
          {formatTime(started_timestamp * 1000)}
        </Dimmed>
      </Group>
      <Text size="sm" truncate>
        {messages.at(-1)?.text ?? t('noMessages')}
      </Text>
      <Dimmed size="xs" truncate>
        {agents.map(({ display_name }) => display_name).join(', ') || t('unassigned')} · {formatSpan(duration)}
      </Dimmed>
      <Group gap={4} mt={4}>
        {pending && (
          <Badge size="sm" variant="light">
            {t('ongoing')}
          </Badge>
        )}
        {type === 'missed_chat' && (
          <Badge size="sm" variant="default" c="var(--danger)">
            {t('missed')}
          </Badge>
        )}
        {rate !== 'not_rated' && (
          <Badge size="sm" variant="default" c={rate === 'rated_good' ? 'var(--success)' : 'var(--danger)'}>
            {RATE_NAMES[rate]}
          </Badge>
        )}
        {tags.map((tag) => (
          <Badge key={tag} size="sm" variant="light" maw="10rem">
            {tag}
          </Badge>
        ))}
      </Group>
    </>
  );
};

export const ArchiveList = ({ currentId }: { currentId: string | undefined }) => {
  const [filters, change, clear] = useFilters(ARCHIVE_NAMES);
  const query = useArchiveList(toArchiveQuery(filters));
  const isFiltered = countFilters(filters) > 0 || filters.q !== undefined;
  // Changing a filter resets the page.
  const filter = (patch: Parameters<typeof change>[0]): void => change({ page: undefined, ...patch });
  return (
    <>
      <Group gap="xs" mb="xs" role="search" wrap="nowrap">
        <div style={{ flex: 1 }}>
          <SearchBox label={t('searchMessages')} value={filters.q} onChange={(q) => filter({ q })} />
        </div>
        <ArchiveFilterDrawer filters={filters} onChange={filter} onClear={clear} />
      </Group>
      <Loaded
        query={query}
        isEmpty={({ chats }) => chats.length === 0}
        empty={
          isFiltered ? (
            <Empty title={t('noMatchingChats')}>{t('tryOtherFilters')}</Empty>
          ) : (
            <Empty title={t('noChatsYet')}>{t('chatsAppearHereAfterThey')}</Empty>
          )
        }
      >
        {({ chats, total, pages }) => (
          <ItemList
            label={t('chats')}
            to="/archives/$"
            items={chats}
            currentId={currentId}
            render={Item}
            page={filters.page}
            pages={pages}
            totalLabel={t('chatCount', { count: total })}
            onPage={(page) => change({ page })}
          />
        )}
      </Loaded>
    </>
  );
};
