import { expect, it } from 'vitest';
import { readHistory, type StoredThread } from './read-history.ts';

const window = { from: 1000, to: 2000 };

const thread = (id: string, parts: Partial<StoredThread>): StoredThread => ({
  ...{ id, groupIds: [1], createdAt: 0, continuous: false, queueEntries: [], assignments: [] },
  ...parts,
});

const held = (agentId: string, from: number, to: number, rest = {}) => ({
  ...{ agentId, from, to, groupIds: [1], byBot: false, rule: 'lowest_load', ...rest },
});

const waited = (from: number, to: number, outcome: 'assigned' | 'left' | null) => ({
  ...{ from, to, outcome, groupIds: [1], priority: 0 },
});

it('sums the work of all agents of a chat', () => {
  const { chats, outcomes } = readHistory(
    [
      thread('A', {
        assignments: [held('bob', 1100, 1200, { byBot: true }), held('ann', 1200, 1300), held('eve', 1400, 1450)],
      }),
    ],
    window,
  );
  expect(chats).toMatchObject([{ arrivesAt: 1100, botMs: 100, workMs: 150, carriedOver: false }]);
  expect(outcomes).toMatchObject([{ status: 'answered', agentId: 'bob', waitMs: 0, queued: false }]);
});

it('uses the wait of abandoned chats as their patience and the median work of their groups as their work', () => {
  const { chats, outcomes } = readHistory(
    [
      thread('A', { assignments: [held('ann', 1000, 1010)] }),
      thread('B', { assignments: [held('ann', 1000, 1200)] }),
      thread('C', { assignments: [held('ann', 1000, 1900)] }),
      thread('D', { queueEntries: [waited(1100, 1150, 'left')] }),
    ],
    window,
  );
  expect(chats.at(-1)).toMatchObject({ id: 'D', patienceMs: 50, workMs: 200 });
  expect(outcomes.at(-1)).toMatchObject({ status: 'left', waitMs: 50 });
});

it('carries over chats that were assigned or queued before the window', () => {
  const { chats, outcomes, workIntervals } = readHistory(
    [
      thread('A', { assignments: [held('ann', 500, 1300)] }),
      thread('B', { queueEntries: [waited(800, 1100, 'assigned')], assignments: [held('ann', 1100, 1400)] }),
      thread('C', { assignments: [held('ann', 500, 900)] }),
    ],
    window,
  );
  expect(outcomes).toEqual([]);
  expect(chats).toMatchObject([
    { id: 'A', carriedOver: true, presetAgentId: 'ann', workMs: 300 },
    { id: 'B', carriedOver: true, arrivesAt: 800, workMs: 300 },
  ]);
  expect(chats[1]!.presetAgentId).toBeUndefined();
  expect(workIntervals).toMatchObject([
    { chatId: 'A', from: 1000, to: 1300 },
    { chatId: 'B', from: 1100, to: 1400 },
  ]);
});

it('keeps agents whom a person chose and omits threads that were never routed', () => {
  const { chats, unrouted } = readHistory(
    [thread('A', { assignments: [held('ann', 1100, 1200, { rule: 'started' })] }), thread('B', {})],
    window,
  );
  expect(chats).toMatchObject([{ id: 'A', presetAgentId: 'ann' }]);
  expect(unrouted).toBe(1);
});

it('ignores what happens after the window', () => {
  const { outcomes } = readHistory(
    [
      thread('A', { queueEntries: [waited(1900, 2100, 'assigned')], assignments: [held('ann', 2100, 2200)] }),
      thread('B', { queueEntries: [waited(1950, 2500, 'left')] }),
    ],
    window,
  );
  expect(outcomes).toMatchObject([
    { status: 'waiting', waitMs: 100 },
    { status: 'waiting', waitMs: 50 },
  ]);
});
