import { expect, it } from 'vitest';
import { readHistory, type StoredThread } from './history.ts';

const window = { from: 1000, to: 2000 };

const thread = (id: string, parts: Partial<StoredThread>): StoredThread => ({
  ...{ id, groupIds: [1], createdAt: 0, continuous: false, stays: [], assignments: [] },
  ...parts,
});

const held = (agentId: string, from: number, to: number, rest = {}) => ({
  ...{ agentId, from, to, groupIds: [1], byBot: false, rule: 'lowest_load', ...rest },
});

const waited = (from: number, to: number, outcome: 'assigned' | 'left' | null) => ({
  ...{ from, to, outcome, groupIds: [1], priority: 0 },
});

it('adds up the work of all agents who had a chat', () => {
  const { chats, outcomes } = readHistory(
    [
      thread('A', {
        assignments: [held('bob', 1100, 1200, { byBot: true }), held('ann', 1200, 1300), held('eve', 1400, 1450)],
      }),
    ],
    window,
  );
  expect(chats).toMatchObject([{ arrivesAt: 1100, botMs: 100, workMs: 150, carriedOver: false }]);
  expect(outcomes).toMatchObject([{ fate: 'answered', agentId: 'bob', waitMs: 0, queued: false }]);
});

it('takes those who left to have waited as long as they would, and to be as much work as the middle chat of their groups', () => {
  const { chats, outcomes } = readHistory(
    [
      thread('A', { assignments: [held('ann', 1000, 1010)] }),
      thread('B', { assignments: [held('ann', 1000, 1200)] }),
      thread('C', { assignments: [held('ann', 1000, 1900)] }),
      thread('D', { stays: [waited(1100, 1150, 'left')] }),
    ],
    window,
  );
  expect(chats.at(-1)).toMatchObject({ id: 'D', patienceMs: 50, workMs: 200 });
  expect(outcomes.at(-1)).toMatchObject({ fate: 'left', waitMs: 50 });
});

it('carries over what was there before: with its agent, or waiting', () => {
  const { chats, outcomes, stints } = readHistory(
    [
      thread('A', { assignments: [held('ann', 500, 1300)] }),
      thread('B', { stays: [waited(800, 1100, 'assigned')], assignments: [held('ann', 1100, 1400)] }),
      thread('C', { assignments: [held('ann', 500, 900)] }),
    ],
    window,
  );
  expect(outcomes).toEqual([]);
  expect(chats).toMatchObject([
    { id: 'A', carriedOver: true, heldBy: 'ann', workMs: 300 },
    { id: 'B', carriedOver: true, arrivesAt: 800, workMs: 300 },
  ]);
  expect(chats[1]!.heldBy).toBeUndefined();
  expect(stints).toMatchObject([
    { chatId: 'A', from: 1000, to: 1300 },
    { chatId: 'B', from: 1100, to: 1400 },
  ]);
});

it('keeps what a person chose, and leaves out what nobody routed', () => {
  const { chats, unrouted } = readHistory(
    [thread('A', { assignments: [held('ann', 1100, 1200, { rule: 'started' })] }), thread('B', {})],
    window,
  );
  expect(chats).toMatchObject([{ id: 'A', heldBy: 'ann' }]);
  expect(unrouted).toBe(1);
});

it('looks no further than the end of the time', () => {
  const { outcomes } = readHistory(
    [
      thread('A', { stays: [waited(1900, 2100, 'assigned')], assignments: [held('ann', 2100, 2200)] }),
      thread('B', { stays: [waited(1950, 2500, 'left')] }),
    ],
    window,
  );
  expect(outcomes).toMatchObject([
    { fate: 'waiting', waitMs: 100 },
    { fate: 'waiting', waitMs: 50 },
  ]);
});
