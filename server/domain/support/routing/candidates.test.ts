import { expect, it } from 'vitest';
import { chooseAmong } from './candidates.ts';
import type { FloorAgent } from './floor.ts';

const agent = (n: number): FloorAgent => ({
  ...{ id: `agent-${String(n).padStart(3, '0')}@shop.test`, kind: 'person', groupIds: [0] },
  ...{ limit: 10, open: n % 10, lastAssignedAt: new Date(1000 - n).toISOString() },
});

it('keeps the idlest of a large team, and whoever was chosen among them', () => {
  const people = Array.from({ length: 500 }, (_, n) => agent(n));
  const { agentId, candidates } = chooseAmong({ bots: [], people })!;
  expect(candidates).toHaveLength(50);
  expect(candidates[0]!.agentId).toBe(agentId);
  expect(new Set(candidates.map(({ open }) => open))).toEqual(new Set([0]));
});
