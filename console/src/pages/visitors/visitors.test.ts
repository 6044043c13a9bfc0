import { describe, expect, it } from 'vitest';
import type { Push } from '#contracts/chat/frames.ts';
import type { LiveVisitor } from '#contracts/chat-ops/visitors.ts';
import { applyPushes, shareVisitors } from './apply-pushes.ts';
import { chooseVisitors, countriesOf } from './filters.ts';
import { fromList, type Visitor } from './visitor.ts';

const live = (id: string, more: Partial<LiveVisitor> = {}): LiveVisitor => ({
  ...{ id, name: 'Client', state: 'browsing', group: 0, browser: 'Firefox 140', user_agent: '', host: '', ip: '::1' },
  ...{ language: 'de', timezone: '', city: 'Vienna', region: '', country: 'Austria', country_code: 'AT', visits: 1 },
  ...{ page_address: '', page_current: '', page_title: '', page_views: 1, page_time: '', page_time_ts: 5 },
  ...{ custom_variables: [], invitation: '', greetings_all: 0, greetings_accepted: 0, greetings_refused: 0 },
  ...{ chats: 0, operators: [], chat: null, chat_id: '', chat_start_time: '', chat_start_time_ts: null },
  ...{ queue_start_time: '', queue_start_time_ts: null, last_visit: '', last_visit_ts: null },
  ...{ latitude: null, longitude: null, page_entered: '', page_entered_ts: null, referrer: '', search_keyword: '' },
  visit_path: [{ page: 'https://shop.test/a', title: 'A', invitation: '', time: '', time_ts: 1000, time_ref: 40 }],
  ...more,
});
const one = (id: string, more: Partial<LiveVisitor> = {}): Visitor => fromList(live(id, more));

const opened = (id: string, url: string, second: number): Push => ({
  action: 'customer_page_updated',
  payload: { customer_id: id, page: { url, opened_at: new Date(second * 1000).toISOString() } },
});

describe('visitors', () => {
  it('start their visit before the first known page', () => {
    expect(one('a').startedAt).toBe(960);
    expect(one('a').place).toBe('Vienna, Austria');
  });

  it('apply page views once and remove visitors who leave', () => {
    const before = [one('a'), one('b')];
    const after = applyPushes(before, [
      opened('a', 'https://shop.test/b', 1010),
      opened('a', 'https://shop.test/b', 1010),
      opened('nobody', 'https://shop.test/b', 1010),
      { action: 'customer_visit_ended', payload: { customer_id: 'b' } },
    ]);
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({
      views: 2,
      pages: [{ url: 'https://shop.test/a' }, { url: 'https://shop.test/b' }],
    });
    expect(before[0]!.views).toBe(1);
  });

  it('keep the same list when no push concerns them', () => {
    const before = [one('a')];
    expect(applyPushes(before, [opened('a', 'https://shop.test/a', 1000), opened('x', 'https://x.test', 1)])).toBe(
      before,
    );
  });

  it('keep the same objects when nothing changed', () => {
    const before = [one('a'), one('b')];
    const after = shareVisitors(before, [one('b', { state: 'chatting' }), one('a')]);
    expect(after[1]).toBe(before[0]);
    expect(after[0]).toMatchObject({ id: 'b', state: 'chatting' });
  });

  it('are filtered by all words, state, group and country', () => {
    const visitors = [
      one('a', { name: 'Zoe', state: 'chatting' }),
      one('b', { name: 'Adam', group: 3, country: 'Chile', custom_variables: [{ key: 'plan', value: 'Gold' }] }),
    ];
    const idsOf = (filters: Parameters<typeof chooseVisitors>[1]): string[] =>
      chooseVisitors(visitors, filters).map(({ id }) => id);
    expect(idsOf({ q: 'gold adam' })).toEqual(['b']);
    expect(idsOf({ q: 'gold zoe' })).toEqual([]);
    expect(idsOf({ state: 'chatting' })).toEqual(['a']);
    expect(idsOf({ group: '3' })).toEqual(['b']);
    expect(idsOf({ country: 'Austria' })).toEqual(['a']);
    expect(idsOf({ order: 'name' })).toEqual(['b', 'a']);
    expect(countriesOf(visitors)).toEqual(['Austria', 'Chile']);
  });
});
