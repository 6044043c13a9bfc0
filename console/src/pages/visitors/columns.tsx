import { Text } from '@mantine/core';
import type { Column } from '../../design/data-table.tsx';
import { Dimmed } from '../../design/dimmed.tsx';
import { Person } from '../../design/person.tsx';
import { formatSpan, useNow } from '../../design/time-ago.tsx';
import { StateLabel } from './state-label.tsx';
import { t } from './t.ts';
import { currentPage, type Visitor } from './visitor.ts';

const Since = ({ at }: { at: number }) => formatSpan(useNow() / 1000 - at);

const hostOf = (url: string): string => URL.parse(url)?.host ?? url;

const Page = (visitor: Visitor) => {
  const page = currentPage(visitor);
  if (!page) return '—';
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" truncate>
        {page.title || page.url}
      </Text>
      <Dimmed size="xs" truncate>
        {page.url}
      </Dimmed>
    </div>
  );
};

const Place = ({ place, ip }: Visitor) => place || ip || '—';
const Referrer = ({ referrer, searched }: Visitor) => (searched ? `“${searched}”` : referrer ? hostOf(referrer) : '—');

const timeColumn: Column<Visitor> = {
  key: 'time',
  title: t('timeOnSite'),
  width: '5.5rem',
  align: 'right',
  render: ({ startedAt }) => <Since at={startedAt} />,
};

/** Columns for phones. */
export const fewColumns: Column<Visitor>[] = [
  {
    key: 'name',
    title: t('visitor'),
    width: 'minmax(0, 1fr)',
    render: (visitor) => (
      <Person name={visitor.name} size={30} detail={currentPage(visitor)?.title || currentPage(visitor)?.url} />
    ),
  },
  { key: 'state', title: t('status'), width: '7.5rem', render: ({ state }) => <StateLabel state={state} /> },
  { ...timeColumn, title: t('time'), width: '4.75rem' },
];

export const visitorColumns: Column<Visitor>[] = [
  {
    key: 'name',
    title: t('visitor'),
    width: 'minmax(12rem, 1.4fr)',
    render: ({ name, browser, visits }) => (
      <Person
        name={name}
        size={30}
        detail={[browser, visits > 1 && t('visitCount', { count: visits })].filter(Boolean).join(' · ')}
      />
    ),
  },
  { key: 'state', title: t('status'), width: '10rem', render: ({ state }) => <StateLabel state={state} /> },
  { key: 'page', title: t('page'), width: 'minmax(14rem, 2fr)', render: Page },
  { key: 'referrer', title: t('referrer'), width: 'minmax(8rem, 1fr)', render: Referrer },
  { key: 'place', title: t('location'), width: 'minmax(8rem, 1fr)', render: Place },
  timeColumn,
  { key: 'views', title: t('pages'), width: '4.5rem', align: 'right', render: ({ views }) => views },
  { key: 'chats', title: t('chats'), width: '4.5rem', align: 'right', render: ({ chats }) => chats },
];
