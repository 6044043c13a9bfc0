import { expect, it } from 'vitest';
import { chooseFrom } from './candidates.ts';
import type { RoutableAgent } from './routing-snapshot.ts';

const agent = (n: number): RoutableAgent => ({
  ...{ id: `agent-${String(n).padStart(3, '0')}@shop.test`, kind: 'person', groupIds: [0] },
  ...{ limit: 10, open: n % 10, lastAssignedAt: new Date(1000 - n).toISOString() },
});

it('stores only the least busy candidates of a large team, with the chosen agent first', () => {
  const people = Array.from({ length: 500 }, (_, n) => agent(n));
  const { agentId, candidates } = chooseFrom({ bots: [], people })!;
  expect(candidates).toHaveLength(50);
  expect(candidates[0]!.agentId).toBe(agentId);
  expect(new Set(candidates.map(({ open }) => open))).toEqual(new Set([0]));
});
