import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '#server/storage/tables/routing.ts';
import { chooseLeastBusy, compareLoad, hasRoom } from './choose-least-busy.ts';

const candidate = (agentId: string, open: number, limit: number, minute?: number): Candidate => ({
  agentId,
  open,
  limit,
  ...(minute === undefined ? {} : { lastAssignedAt: new Date(minute * 60_000).toISOString() }),
});

describe('chooseLeastBusy', () => {
  it.each<[string, Candidate[], string | undefined, string | undefined]>([
    ['no agent, when there are none', [], undefined, undefined],
    ['no agent, when all are at their limit', [candidate('a', 2, 2), candidate('b', 3, 2)], undefined, undefined],
    ['no agent, when the limit is zero', [candidate('a', 0, 0)], undefined, undefined],
    ['the only agent with room', [candidate('a', 2, 2), candidate('b', 1, 2)], 'b', 'only_candidate'],
    ['the agent with the lowest load', [candidate('a', 1, 2), candidate('b', 2, 6)], 'b', 'lowest_load'],
    ['the lowest load relative to the limit', [candidate('a', 1, 3), candidate('b', 2, 9)], 'b', 'lowest_load'],
    [
      'the agent who has waited longest for a chat',
      [candidate('a', 1, 3, 9), candidate('b', 2, 6, 5)],
      'b',
      'longest_waiting',
    ],
    ['an agent who was never assigned a chat', [candidate('a', 0, 3, 9), candidate('b', 0, 6)], 'b', 'longest_waiting'],
    ['the first by login', [candidate('b', 1, 3, 9), candidate('a', 1, 3, 9)], 'a', 'login_order'],
  ])('chooses %s', (_, candidates, agentId, rule) => {
    expect(chooseLeastBusy(candidates)).toEqual(agentId && { agentId, rule });
  });
});

const candidates = fc.uniqueArray(
  fc.record({
    agentId: fc.string({ minLength: 1, maxLength: 4 }),
    open: fc.nat(6),
    limit: fc.nat(6),
    lastAssignedAt: fc.option(
      fc.nat(5).map((minute) => new Date(minute * 60_000).toISOString()),
      { nil: undefined },
    ),
  }),
  { selector: ({ agentId }) => agentId },
) as fc.Arbitrary<Candidate[]>;

const byId = (all: Candidate[], id: string): Candidate => all.find(({ agentId }) => agentId === id)!;

describe('chooseLeastBusy with any candidates', () => {
  it('chooses an agent with room such that no other has a lower load', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const decision = chooseLeastBusy(all);
        expect(decision !== undefined).toBe(all.some(hasRoom));
        if (!decision) return;
        const chosen = byId(all, decision.agentId);
        expect(hasRoom(chosen)).toBe(true);
        for (const one of all.filter(hasRoom)) expect(compareLoad(chosen, one)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('does not depend on the order of candidates', () => {
    const shuffled = candidates.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => void expect(chooseLeastBusy(one)).toEqual(chooseLeastBusy(other))),
    );
  });

  it('ignores agents without room', () => {
    fc.assert(
      fc.property(candidates, (all) => void expect(chooseLeastBusy(all.filter(hasRoom))).toEqual(chooseLeastBusy(all))),
    );
  });
});
