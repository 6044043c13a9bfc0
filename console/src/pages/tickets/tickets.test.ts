import { describe, expect, it } from 'vitest';
import type { TicketEvent } from '#contracts/agent/tickets.ts';
import { badgesOf, describeEvent } from './describe-event.ts';
import { countFilters, toTicketQuery } from './filters.ts';
import { wrapHtml } from './original-email.tsx';

const ME = 'me@shop.test';

describe('ticket filters in the URL', () => {
  it('default to open tickets, last updated first', () => {
    expect(toTicketQuery({}, ME)).toMatchObject({ page: 1, order: 'desc', filters: { status: 'open' } });
    expect(toTicketQuery({ status: 'all' }, ME).filters?.status).toBeUndefined();
  });

  it('map assignee, group and tags to the API request', () => {
    expect(toTicketQuery({ assignee: 'me' }, ME).filters).toMatchObject({ assignee_id: ME });
    expect(toTicketQuery({ assignee: 'unassigned' }, ME).filters).toMatchObject({ assigned: false });
    expect(toTicketQuery({ group: '0', tags: 'a\nb, c', tagged: '0', page: '3' }, ME)).toMatchObject({
      page: 3,
      filters: { group_id: 0, tags: ['a', 'b, c'], tagged: false },
    });
  });

  it('ignore invalid values', () => {
    const { page, filters } = toTicketQuery({ page: '-1', group: 'x', from: 'soon', source: 'owl', status: 'odd' }, ME);
    expect(page).toBe(1);
    expect(filters).toMatchObject({ status: 'open' });
    for (const name of ['group_id', 'date_from', 'source'] as const) expect(filters?.[name]).toBeUndefined();
  });

  it('count the filters in the drawer', () => {
    expect(countFilters({ q: 'word', status: 'all', tags: 'a', group: '0' })).toBe(2);
  });
});

const event = (more: Partial<TicketEvent>): TicketEvent => ({
  type: 'message',
  author: { id: 'a@shop.test', name: 'Ann', type: 'agent' },
  created_at: '2026-11-15T10:00:00.000000Z',
  is_private: false,
  ...more,
});
const say = (more: Partial<TicketEvent>): string => describeEvent(event(more), 'Ann', (id) => `group ${id}`);

describe('ticket events', () => {
  it('are described as sentences', () => {
    expect(say({ type: 'status_changed', from: 'open', to: 'solved' })).toBe(
      'Ann changed the status from open to solved',
    );
    expect(say({ type: 'assignee_changed', to: { id: 'b', name: 'Bob' } })).toBe('Ann assigned it to Bob');
    expect(say({ type: 'assignee_changed', to: null })).toBe('Ann removed the assignee');
    expect(say({ type: 'tags_changed', from: [], to: ['a', 'b'] })).toBe('Ann changed the tags from none to a and b');
    expect(say({ type: 'group_changed', to: [0, 3] })).toBe('Ann moved it to group 0 and group 3');
    expect(say({ type: 'merged', direction: 'from', ticket: { id: 'X', subject: 'S' } })).toBe(
      'Ann merged another ticket into this one: X, “S”',
    );
  });

  it('have badges', () => {
    expect(badgesOf(event({ source: 'mail', automatic: 'bounce' }))).toEqual(['By email', 'Delivery failed']);
    expect(badgesOf(event({ is_private: true }))).toEqual(['Private note']);
  });
});

it('a formatted email cannot load remote content', () => {
  expect(wrapHtml('<p>Hi</p>')).toMatch(/default-src 'none'.*<body><p>Hi<\/p><\/body>/);
});
