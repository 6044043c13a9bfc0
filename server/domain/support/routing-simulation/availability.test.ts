import { expect, it } from 'vitest';
import type { AgentStatus } from '#server/storage/tables/agent-status.ts';
import { mergeIntervals, readAvailability, readShifts } from './availability.ts';

const window = { from: 1000, to: 2000 };

const change = (at: number, status: AgentStatus, reason = 'manual') => ({
  ...{ agentId: 'ann', status, reason, changedAt: new Date(at) },
});

it('derives accepting intervals from status changes', () => {
  const changes = [
    change(500, 'accepting chats'),
    change(1200, 'not accepting chats'),
    change(1300, 'accepting chats'),
    change(1400, 'offline', 'disconnected'),
    change(1500, 'not accepting chats', 'signed_in'),
  ];
  expect(readAvailability(changes, 'offline', window)).toEqual({
    accepting: [
      { from: 500, to: 1200 },
      { from: 1300, to: 1400 },
    ],
    offlineAt: [1400],
  });
});

it('infers the initial status from the first change', () => {
  expect(readAvailability([change(1200, 'offline')], 'offline', window).accepting).toEqual([{ from: 1000, to: 1200 }]);
  expect(readAvailability([change(1200, 'accepting chats')], 'offline', window).accepting).toEqual([
    { from: 1200, to: 2000 },
  ]);
  expect(readAvailability([change(1200, 'not accepting chats', 'signed_in')], 'offline', window).accepting).toEqual([]);
  expect(readAvailability([], 'accepting chats', window).accepting).toEqual([window]);
  expect(readAvailability([], 'offline', window).accepting).toEqual([]);
});

it('converts a schedule to shifts across a daylight saving change', () => {
  const schedule = { saturday: { enabled: true, start: '22:00', end: '06:00' } };
  const from = Date.parse('2026-03-28T00:00:00Z');
  const shifts = readShifts(schedule, 'Europe/Warsaw', { from, to: Date.parse('2026-04-05T01:00:00Z') });
  expect(shifts.map((shift) => [shift.from, shift.to].map((at) => new Date(at).toISOString()))).toEqual([
    ['2026-03-28T21:00:00.000Z', '2026-03-29T04:00:00.000Z'],
    ['2026-04-04T20:00:00.000Z', '2026-04-05T01:00:00.000Z'],
  ]);
});

it('merges intervals that touch or overlap', () => {
  const times = [
    { from: 5, to: 6 },
    { from: 1, to: 3 },
    { from: 2, to: 4 },
    { from: 4, to: 5 },
    { from: 8, to: 9 },
  ];
  expect(mergeIntervals(times)).toEqual([
    { from: 1, to: 6 },
    { from: 8, to: 9 },
  ]);
});
