import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combinedStatus, groupStatuses } from './candidates.ts';
import { planQueue } from './plan-queue.ts';
import { msPerDeparture, queuePositions } from './queue-positions.ts';
import type { QueuedChat, RoutableAgent, RoutingSnapshot } from './routing-snapshot.ts';

const NOW = new Date('2026-03-02T10:00:00Z');

const agent = (
  id: string,
  groupIds: number[],
  limit = 1,
  open = 0,
  kind: RoutableAgent['kind'] = 'person',
): RoutableAgent => ({
  ...{ id, kind, limit, open },
  groupIds: [0, ...groupIds],
});
const queuedChat = (chatId: string, groupIds: number[], more: Partial<QueuedChat> = {}): QueuedChat => ({
  ...{ chatId, threadId: `T${chatId}`, customerId: 'c', groupIds, priority: 0, enteredAt: NOW, botAnswered: false },
  ...more,
});
const group = (id: number, more: { fallback?: number; botsFirst?: boolean } = {}) => ({
  id,
  botsFirst: false,
  ...more,
});
const snapshot = (parts: Partial<RoutingSnapshot>): RoutingSnapshot => ({
  agents: [],
  groups: [group(0), group(1), group(2)],
  waiting: [],
  ...parts,
});
const plan = (parts: Partial<RoutingSnapshot>) =>
  planQueue(snapshot(parts), NOW).assigned.map(({ chat, agentId }) => [chat.chatId, agentId]);

describe('planQueue', () => {
  it('assigns in queue order as long as there is room', () => {
    const waiting = ['a', 'b', 'c'].map((id) => queuedChat(id, [1]));
    expect(plan({ agents: [agent('x', [1], 2)], waiting })).toEqual([
      ['a', 'x'],
      ['b', 'x'],
    ]);
  });

  it('skips chats that must wait for a busy agent', () => {
    const waiting = [queuedChat('a', [1]), queuedChat('b', [2]), queuedChat('c', [1]), queuedChat('d', [0])];
    expect(plan({ agents: [agent('x', [1], 1, 1), agent('y', [2], 2)], waiting })).toEqual([
      ['b', 'y'],
      ['d', 'y'],
    ]);
  });

  it('distributes chats by load, counting those just assigned', () => {
    const waiting = ['a', 'b', 'c', 'd'].map((id) => queuedChat(id, [0]));
    expect(plan({ agents: [agent('x', [], 3), agent('y', [], 3)], waiting })).toEqual([
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'x'],
      ['d', 'y'],
    ]);
  });
});

describe('fallback groups', () => {
  const groups = [group(0), group(1, { fallback: 2 }), group(2, { fallback: 3 }), group(3, { fallback: 1 })];

  it('are tried in a chain, and a cycle ends the search', () => {
    expect(plan({ groups, agents: [agent('x', [3])], waiting: [queuedChat('a', [1])] })).toEqual([['a', 'x']]);
    expect(plan({ groups, waiting: [queuedChat('a', [1])] })).toEqual([]);
    expect(combinedStatus(snapshot({ groups, agents: [agent('x', [3])] }), [1])).toBe('online');
    expect(combinedStatus(snapshot({ groups }), [1])).toBe('offline');
  });

  it('are not used while an agent of the group accepts chats, even without room', () => {
    const agents = [agent('full', [1], 1, 1), agent('x', [2])];
    expect(plan({ groups, agents, waiting: [queuedChat('a', [1])] })).toEqual([]);
    expect(combinedStatus(snapshot({ groups, agents }), [1])).toBe('online_for_queue');
  });
});

describe('bots', () => {
  const groups = [group(0), group(1, { botsFirst: true }), group(2)];
  const agents = [agent('bot', [1, 2], 1, 0, 'bot'), agent('x', [1, 2], 5)];

  it('come first in groups configured that way, once per thread, and only with room', () => {
    const waiting = [
      queuedChat('a', [1]),
      queuedChat('b', [1]),
      queuedChat('c', [1], { botAnswered: true }),
      queuedChat('d', [2]),
    ];
    const { assigned } = planQueue(snapshot({ groups, agents, waiting }), NOW);
    expect(assigned.map(({ agentId }) => agentId)).toEqual(['bot', 'x', 'x', 'x']);
    expect(assigned[0]!.rule).toBe('bot_first');
  });

  it('keep a group online without people only where bots come first', () => {
    expect(groupStatuses(snapshot({ groups, agents: [agents[0]!] })).map(({ status }) => status)).toEqual([
      'offline',
      'online',
      'offline',
    ]);
  });
});

describe('queue positions', () => {
  it('count the chats ahead that wait for the same groups', () => {
    const waiting = [
      queuedChat('a', [1]),
      queuedChat('b', [2]),
      queuedChat('c', [1, 2]),
      queuedChat('d', [1]),
      queuedChat('e', [3]),
    ];
    const positions = queuePositions(waiting, []);
    expect([...positions.values()].map(({ position }) => position)).toEqual([1, 1, 3, 3, 1]);
    expect(positions.get('d')!.waitTime).toBe(180);
  });

  it('estimate the wait from recent departures, ignoring idle times', () => {
    const entry = (from: number, to: number, groupIds = [1]) => ({
      ...{ groupIds, enteredAt: new Date(from * 1000), leftAt: new Date(to * 1000) },
    });
    expect(msPerDeparture([])).toBeUndefined();
    expect(msPerDeparture([entry(0, 30), entry(10, 60), entry(1000, 1030)])).toBe(30_000);
    const positions = queuePositions(
      [queuedChat('a', [1]), queuedChat('b', [1]), queuedChat('c', [2])],
      [entry(0, 30), entry(0, 60)],
    );
    expect([...positions.values()].map(({ waitTime }) => waitTime)).toEqual([30, 60, 30]);
  });
});

describe('planQueue with any snapshot', () => {
  const groupIds = fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 2 });
  const snapshots = fc.record({
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
      .map((all) => all.map(([ids, botAnswered], at) => queuedChat(`c${at}`, ids, { botAnswered }))),
  });

  it('exceeds no limit and leaves no chat queued that an agent could take', () => {
    fc.assert(
      fc.property(snapshots, (before) => {
        const { assigned, snapshot: after } = planQueue(before, NOW);
        for (const { agentId } of assigned) {
          const { open, limit } = after.agents.find(({ id }) => id === agentId)!;
          expect(open).toBeLessThanOrEqual(limit);
        }
        expect(assigned.length + after.waiting.length).toBe(before.waiting.length);
        expect(planQueue(after, NOW).assigned).toEqual([]);
      }),
    );
  });
});
