import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as chat from '#contracts/chat-ops/reports.ts';
import { ticketReportOperations } from '#contracts/chat-ops/reports-tickets.ts';
import { colorOf } from './colors.ts';
import { formatLabel, formatValue, toRows } from './format.ts';
import { toReportQuery } from './query.ts';
import { readRange, todayIn } from './range.ts';
import { ALL_REPORTS, findReport } from './reports.ts';
import { labelEvery, ticksOf, wholeTicksOf } from './scale.ts';

const NOW = new Date('2026-03-31T23:30:00Z');

it('the console has every report of the API', () => {
  const shown = ALL_REPORTS.map(({ operation }) => operation);
  expect(new Set(shown)).toEqual(new Set([...chat.reportOperations, ...ticketReportOperations]));
  expect(new Set(ALL_REPORTS.map(({ id }) => id)).size).toBe(ALL_REPORTS.length);
});

it('colors of charts are design tokens', () => {
  const tokens = readFileSync(new URL('../../../../browser/tokens.css', import.meta.url), 'utf8');
  const byPlace = [0, 1, 2, 3].map((place) => colorOf({}, place));
  for (const color of [colorOf({ color: 'good' }, 0), colorOf({ color: 'bad' }, 0), ...byPlace])
    expect(tokens).toContain(`${/^var\((--[\w-]+)\)$/.exec(color)?.[1]}:`);
});

describe('ranges', () => {
  it('end today in the time zone of the report', () => {
    expect(todayIn('UTC', NOW)).toBe('2026-03-31');
    expect(todayIn('Europe/Vienna', NOW)).toBe('2026-04-01');
  });

  it.each([
    [undefined, '2026-03-25', '2026-03-31'],
    ['today', '2026-03-31', '2026-03-31'],
    ['yesterday', '2026-03-30', '2026-03-30'],
    ['month', '2026-03-01', '2026-03-31'],
    ['last-month', '2026-02-01', '2026-02-28'],
    ['year', '2025-04-01', '2026-03-31'],
    ['odd', '2026-03-25', '2026-03-31'],
  ])('%s', (range, from, to) => {
    expect(readRange({ range }, '2026-03-31')).toEqual({ from, to });
  });

  it('can be custom', () => {
    expect(readRange({ range: 'custom', from: '2026-01-02', to: 'soon' }, '2026-03-31')).toEqual({
      from: '2026-01-02',
      to: '2026-03-31',
    });
  });
});

describe('report queries', () => {
  const filters = { zone: 'Asia/Tokyo', by: 'hour', group: '0', agent: 'a@b.test', tag: 't', goal: '4' };

  it('contain only parameters the report accepts', () => {
    const asked = toReportQuery(chat.totalChats, filters, NOW);
    expect(asked).toEqual({
      ...{ date_from: '2026-03-26', date_to: '2026-04-01', timezone: 'Asia/Tokyo' },
      ...{ group_by: 'hour', group: 0, agent: 'a@b.test', tag: 't' },
    });
    expect(toReportQuery(chat.notRepliedChats, filters, NOW)).toMatchObject({ groups: [0], agents: ['a@b.test'] });
    expect(toReportQuery(chat.agentsOccupancy, filters, NOW)).toEqual({ weekday: 'mon' });
    expect(toReportQuery(chat.chatRanking, filters, NOW)).not.toHaveProperty('timezone');
  });
});

const shape = (id: string, answer: unknown) => findReport(id).shape(answer);

describe('report data', () => {
  it('is sorted and totaled', () => {
    const { labels, series } = shape('total-chats', { '2026-11-02': { chats: 3 }, '2026-11-01': { chats: 2 } });
    expect(labels).toEqual(['2026-11-01', '2026-11-02']);
    expect(series).toEqual([{ title: 'Chats', unit: 'count', values: [2, 3], total: 5 }]);
  });

  it('weights averages by count', () => {
    const times = (count: number, seconds: number | null) => ({ first_response_time: { count, seconds } });
    const { series } = shape('first-response', { a: times(1, 10), b: times(3, 30), c: times(0, null) });
    expect(series[0]).toMatchObject({ values: [10, 30, null], total: 25 });
    expect(series[1]).toMatchObject({ title: 'Chats', total: 4, isTableOnly: true });
  });

  it('has no average without measurements', () => {
    expect(shape('resolution', { a: { count: 0, hours: null } }).series[0]).toMatchObject({ total: null });
  });

  it('lists sales by currency', () => {
    const value = { EUR: { sales_count: 2, value: 19.5 } };
    const { series } = shape('goals', { a: { goals: 2, value }, b: { goals: 0, value: {} } });
    expect(series.map(({ title, total }) => [title, total])).toEqual([
      ['Goals', 2],
      ['Sales (EUR)', 2],
      ['Revenue (EUR)', 19.5],
    ]);
  });

  it('ranks agents', () => {
    const { heading, labels, series } = shape('chat-ranking', {
      ranking: [{ name: 'a@b.test', good: 3, bad: 1, total: 4, score: 0.75 }],
    });
    expect([heading, labels]).toEqual(['Agent', ['a@b.test']]);
    expect(series.at(-1)).toMatchObject({ unit: 'share', total: 0.75 });
  });

  it('exports unformatted numbers', () => {
    expect(toRows(shape('availability', { '09:00': { hours: 0.5 } }))).toEqual([
      ['Time', 'Accepting chats (hours)'],
      ['09:00', 0.5],
      ['Total', 0.5],
    ]);
  });
});

describe('charts', () => {
  it('have round ticks', () => {
    expect(ticksOf(7)).toEqual([0, 2, 4, 6, 8]);
    expect(ticksOf(0.3)).toEqual([0, 0.1, 0.2, 0.3]);
    expect(wholeTicksOf(1)).toEqual([0, 1]);
    expect(wholeTicksOf(0)).toEqual([0, 1]);
  });

  it('show as many labels as fit', () => {
    expect(labelEvery(30, 760, 76)).toBe(3);
    expect(labelEvery(4, 760, 76)).toBe(1);
  });

  it('format numbers and durations', () => {
    expect(formatValue(null, 'count')).toBe('—');
    expect(formatValue(125, 'seconds')).toBe('2 min 5 sec');
    expect(formatValue(7260, 'seconds')).toBe('2 hr 1 min');
    expect(formatLabel('09:00')).toBe('09:00');
    expect(formatLabel('2026-11-15 09:00')).toContain('09:00');
    expect(formatLabel('agent@shop.test')).toBe('agent@shop.test');
  });
});
