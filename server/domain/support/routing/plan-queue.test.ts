import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupStatuses, statusOf } from './candidates.ts';
import type { Floor, FloorAgent, Waiting } from './floor.ts';
import { planQueue } from './plan-queue.ts';
import { paceOf, placesOf } from './queue-positions.ts';

const NOW = new Date('2026-03-02T10:00:00Z');

const agent = (
  id: string,
  groupIds: number[],
  limit = 1,
  open = 0,
  kind: FloorAgent['kind'] = 'person',
): FloorAgent => ({
  ...{ id, kind, limit, open },
  groupIds: [0, ...groupIds],
});
const waits = (chatId: string, groupIds: number[], more: Partial<Waiting> = {}): Waiting => ({
  ...{ chatId, threadId: `T${chatId}`, customerId: 'c', groupIds, priority: 0, enteredAt: NOW, botDone: false },
  ...more,
});
const group = (id: number, more: { fallback?: number; botsFirst?: boolean } = {}) => ({
  id,
  botsFirst: false,
  ...more,
});
const floor = (parts: Partial<Floor>): Floor => ({
  agents: [],
  groups: [group(0), group(1), group(2)],
  waiting: [],
  ...parts,
});
const plan = (parts: Partial<Floor>) =>
  planQueue(floor(parts), NOW).placed.map(({ chat, agentId }) => [chat.chatId, agentId]);

describe('the queue', () => {
  it('is served in its order, as far as there is room', () => {
    const waiting = ['a', 'b', 'c'].map((id) => waits(id, [1]));
    expect(plan({ agents: [agent('x', [1], 2)], waiting })).toEqual([
      ['a', 'x'],
      ['b', 'x'],
    ]);
  });

  it('lets those go ahead whom other agents can take', () => {
    const waiting = [waits('a', [1]), waits('b', [2]), waits('c', [1]), waits('d', [0])];
    expect(plan({ agents: [agent('x', [1], 1, 1), agent('y', [2], 2)], waiting })).toEqual([
      ['b', 'y'],
      ['d', 'y'],
    ]);
  });

  it('spreads over whoever has the least to do, one after the other', () => {
    const waiting = ['a', 'b', 'c', 'd'].map((id) => waits(id, [0]));
    expect(plan({ agents: [agent('x', [], 3), agent('y', [], 3)], waiting })).toEqual([
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'y'],
    ]);
  });
});

describe('groups that stand in for others', () => {
  const groups = [group(0), group(1, { fallback: 2 }), group(2, { fallback: 3 }), group(3, { fallback: 1 })];

  it('are asked one after the other, and a circle ends', () => {
    expect(plan({ groups, agents: [agent('x', [3])], waiting: [waits('a', [1])] })).toEqual([['a', 'x']]);
    expect(plan({ groups, waiting: [waits('a', [1])] })).toEqual([]);
    expect(statusOf(floor({ groups, agents: [agent('x', [3])] }), [1])).toBe('online');
    expect(statusOf(floor({ groups }), [1])).toBe('offline');
  });

  it('are not asked while somebody of the group takes chats, though without room', () => {
    const agents = [agent('full', [1], 1, 1), agent('x', [2])];
    expect(plan({ groups, agents, waiting: [waits('a', [1])] })).toEqual([]);
    expect(statusOf(floor({ groups, agents }), [1])).toBe('online_for_queue');
  });
});

describe('bots', () => {
  const groups = [group(0), group(1, { botsFirst: true }), group(2)];
  const agents = [agent('bot', [1, 2], 1, 0, 'bot'), agent('x', [1, 2], 5)];

  it('come first where the group says so, once in a thread, and only with room', () => {
    const waiting = [waits('a', [1]), waits('b', [1]), waits('c', [1], { botDone: true }), waits('d', [2])];
    const { placed } = planQueue(floor({ groups, agents, waiting }), NOW);
    expect(placed.map(({ agentId }) => agentId)).toEqual(['bot', 'x', 'x', 'x']);
    expect(placed[0]!.rule).toBe('bot_first');
  });

  it('make a group online when they are alone in it, if it lets them', () => {
    expect(groupStatuses(floor({ groups, agents: [agents[0]!] })).map(({ status }) => status)).toEqual([
      'offline',
      'online',
      'offline',
    ]);
  });
});

describe('places in the queue', () => {
  it('count those ahead who wait for the same groups', () => {
    const waiting = [waits('a', [1]), waits('b', [2]), waits('c', [1, 2]), waits('d', [1]), waits('e', [3])];
    const places = placesOf(waiting, []);
    expect([...places.values()].map(({ position }) => position)).toEqual([1, 1, 3, 3, 1]);
    expect(places.get('d')!.waitTime).toBe(180);
  });

  it('guess the time from those who waited last, idle times left out', () => {
    const stay = (from: number, to: number, groupIds = [1]) => ({
      ...{ groupIds, enteredAt: new Date(from * 1000), leftAt: new Date(to * 1000) },
    });
    expect(paceOf([])).toBeUndefined();
    expect(paceOf([stay(0, 30), stay(10, 60), stay(1000, 1030)])).toBe(30_000);
    const places = placesOf([waits('a', [1]), waits('b', [1]), waits('c', [2])], [stay(0, 30), stay(0, 60)]);
    expect([...places.values()].map(({ waitTime }) => waitTime)).toEqual([30, 60, 30]);
  });
});

describe('whatever the floor is like', () => {
  const groupIds = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 2 });
  const floors = fc.record({
    groups: fc
      .tuple(fc.option(fc.nat(3)), fc.option(fc.nat(3)), fc.boolean())
      .map(([one, two, botsFirst]) => [
        group(0),
        group(1, one === null ? {} : { fallback: one }),
        group(2, two === null ? { botsFirst } : { fallback: two, botsFirst }),
        group(3),
      ]),
    agents: fc
      .array(fc.tuple(groupIds, fc.nat(3), fc.nat(3), fc.constantFrom('person' as const, 'bot' as const)), {
        maxLength: 5,
      })
      .map((all) => all.map(([ids, limit, open, kind], at) => agent(`a${at}`, ids, limit, open, kind))),
    waiting: fc
      .array(fc.tuple(groupIds, fc.boolean()), { maxLength: 8 })
      .map((all) => all.map(([ids, botDone], at) => waits(`c${at}`, ids, { botDone }))),
  });

  it('no limit is passed, and nobody waits whom somebody could take', () => {
    fc.assert(
      fc.property(floors, (before) => {
        const { placed, floor: after } = planQueue(before, NOW);
        for (const { agentId } of placed) {
          const { open, limit } = after.agents.find(({ id }) => id === agentId)!;
          expect(open).toBeLessThanOrEqual(limit);
        }
        expect(placed.length + after.waiting.length).toBe(before.waiting.length);
        expect(planQueue(after, NOW).placed).toEqual([]);
      }),
    );
  });
});
