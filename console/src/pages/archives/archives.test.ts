import { describe, expect, it } from 'vitest';
import type { ArchivedChat } from '#contracts/chat-ops/chats.ts';
import { readFilters } from '../../app/use-filters.ts';
import { writeCsv } from '../../design/csv.ts';
import { countFilters, toArchiveQuery } from './filters.ts';
import { toRows } from './to-rows.ts';

describe('archive filters in the URL', () => {
  it('accept numbers and strings', () => {
    expect(readFilters({ page: 2, q: 'x', other: 'y', agent: '' }, ['page', 'q', 'agent'])).toEqual({
      page: '2',
      q: 'x',
    });
  });

  it('map to the API query', () => {
    expect(
      toArchiveQuery({
        q: 'shoes',
        tags: 'a\nb',
        group: '3',
        goal: 'x',
        rate: 'rated_bad',
        pending: '1',
        has_goal: '0',
      }),
    ).toMatchObject({
      ...{ page: 1, query: 'shoes', tag: ['a', 'b'], group: 3, rate: 'rated_bad' },
      ...{ include_pending: 1, has_goal: 0 },
    });
  });

  it('ignore invalid values', () => {
    const query = toArchiveQuery({ from: '2026', rate: 'great', queued: 'yes', type: 'odd', page: '0' });
    expect(query).toMatchObject({ page: 1 });
    for (const name of ['date_from', 'rate', 'queued', 'type'] as const) expect(query[name]).toBeUndefined();
  });

  it('are counted without search and page', () => {
    expect(countFilters({ q: 'x', page: '2', from: '2026-01-01', agent: 'a' })).toBe(2);
  });
});

const CHAT: ArchivedChat = {
  ...{ type: 'chat', id: 'T1', rate: 'rated_good', duration: 61, group: [0, 2], tags: ['sale'], timezone: 'UTC' },
  ...{ engagement: 'immediate_start', pending: false, started: '', started_timestamp: 1_700_000_000 },
  ...{ ended: '', ended_timestamp: null, chat_start_url: '' },
  visitor: {
    ...{ id: 'v', name: '=HYPERLINK("http://x")', ip: '', timezone: '', user_agent: '' },
    ...{ city: '', region: '', country: '', country_code: '' },
  },
  agents: [{ display_name: 'Ann', email: 'ann@shop.test' }],
  supervisors: [],
  prechat_survey: [{ key: 'Name', value: 'Zoe', id: '1' }],
  postchat_survey: [],
  messages: [{ author_name: 'Zoe', text: 'Hello', date: '', timestamp: 1, user_type: 'visitor' }],
  events: [],
};

it('an exported file contains no formulas', () => {
  const rows = toRows([CHAT]);
  expect(rows[0]).toHaveLength(rows[1]!.length);
  expect(rows[1]).toContain('2023-11-14T22:13:20.000Z');
  const csv = writeCsv(rows);
  expect(csv).toContain(`"'=HYPERLINK(""http://x"")"`);
  expect(csv).toContain('Zoe: Hello');
});
