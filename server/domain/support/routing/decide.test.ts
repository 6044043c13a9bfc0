import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '#server/storage/tables/routing.ts';
import { compareLoad, decide, hasRoom } from './decide.ts';

const candidate = (agentId: string, open: number, limit: number, minute?: number): Candidate => ({
  agentId,
  open,
  limit,
  ...(minute === undefined ? {} : { lastAssignedAt: new Date(minute * 60_000).toISOString() }),
});

describe('who gets the next chat', () => {
  it.each<[string, Candidate[], string | undefined, string | undefined]>([
    ['nobody, when nobody is there', [], undefined, undefined],
    ['nobody, when all are full', [candidate('a', 2, 2), candidate('b', 3, 2)], undefined, undefined],
    ['nobody, with a limit of none', [candidate('a', 0, 0)], undefined, undefined],
    ['the only one with room', [candidate('a', 2, 2), candidate('b', 1, 2)], 'b', 'only_candidate'],
    ['who has the least to do', [candidate('a', 1, 2), candidate('b', 2, 6)], 'b', 'lowest_load'],
    ['relative to the limit', [candidate('a', 1, 3), candidate('b', 2, 9)], 'b', 'lowest_load'],
    ['who waited longest', [candidate('a', 1, 3, 9), candidate('b', 2, 6, 5)], 'b', 'longest_waiting'],
    ['who never got any', [candidate('a', 0, 3, 9), candidate('b', 0, 6)], 'b', 'longest_waiting'],
    ['the first by login', [candidate('b', 1, 3, 9), candidate('a', 1, 3, 9)], 'a', 'login_order'],
  ])('is %s', (_, candidates, agentId, rule) => {
    expect(decide(candidates)).toEqual(agentId && { agentId, rule });
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

describe('whoever is there', () => {
  it('somebody with room gets it, and nobody has less to do', () => {
    fc.assert(
      fc.property(candidates, (all) => {
        const decision = decide(all);
        expect(decision !== undefined).toBe(all.some(hasRoom));
        if (!decision) return;
        const chosen = byId(all, decision.agentId);
        expect(hasRoom(chosen)).toBe(true);
        for (const one of all.filter(hasRoom)) expect(compareLoad(chosen, one)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('the order they are listed in changes nothing', () => {
    const shuffled = candidates.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(fc.property(shuffled, ([one, other]) => void expect(decide(one)).toEqual(decide(other))));
  });

  it('who is full or gone changes nothing for who is chosen', () => {
    fc.assert(fc.property(candidates, (all) => void expect(decide(all.filter(hasRoom))).toEqual(decide(all))));
  });
});
