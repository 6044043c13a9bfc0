import { expect, it } from 'vitest';
import { applyChanges, type Changes } from './apply-changes.ts';
import type { LoadedAgent } from './load-history.ts';
import { measure } from './measure.ts';
import { simulate } from './simulate.ts';

const HOUR = 3_600_000;
const window = { from: Date.parse('2026-03-02T00:00:00Z'), to: Date.parse('2026-03-03T00:00:00Z') };
const groups = [1, 2].map((id) => ({ id, name: `Group ${id}`, botsFirst: false }));

const agent = (id: string, parts: Partial<LoadedAgent> = {}): LoadedAgent => ({
  ...{ id, kind: 'person', timezone: null, limit: 2, groupIds: [1], accepting: [window], offlineAt: [], ...parts },
});

const chat = (id: string, minute: number) => ({
  ...{ id, groupIds: [1], arrivesAt: window.from + 10 * HOUR + minute * 60_000, priority: 0, botMs: 0, workMs: HOUR },
  ...{ continuous: false, carriedOver: false },
});

const apply = (changes: Partial<Changes>, agents = [agent('ann'), agent('bot', { kind: 'bot', limit: 50 })]) => {
  const chats = [chat('A', 0), chat('B', 1), chat('C', 2)];
  return applyChanges({ window, groups, agents, chats }, { limits: {}, added: [], schedules: {}, ...changes }, 'UTC');
};

it('sets the limit of all people, and individual limits with precedence', () => {
  expect(apply({ limit: 4 }).agents.map(({ limit }) => limit)).toEqual([4, 50]);
  expect(apply({ limit: 4, limits: { ann: 1, bot: 3 } }).agents.map(({ limit }) => limit)).toEqual([1, 3]);
});

it('adds agents who work whenever any person works', () => {
  const half = [{ from: window.from, to: window.from + 12 * HOUR }];
  const agents = [agent('ann', { accepting: half }), agent('eve', { groupIds: [2], accepting: [], limit: 5 })];
  const model = apply({ added: [{ count: 1 }, { count: 1, groupId: 2 }], limits: { 'added-2': 9 } }, agents);
  expect(model.agents.slice(2)).toMatchObject([
    { id: 'added-1', groupIds: [1, 2], accepting: half, limit: 5 },
    { id: 'added-2', groupIds: [2], accepting: half, limit: 9 },
  ]);
});

it('replaces schedules', () => {
  const monday = (start: string, end: string) => ({ monday: { enabled: true, start, end } });
  const model = apply({ schedules: { '*': monday('09:00', '10:30'), eve: monday('11:00', '12:00') } }, [
    agent('ann', { timezone: 'Europe/Warsaw', offlineAt: [window.from + HOUR] }),
    agent('eve'),
    agent('bot', { kind: 'bot' }),
  ]);
  const hours = model.agents.map(({ accepting }) =>
    accepting.map((one) => [one.from, one.to].map((at) => (at - window.from) / HOUR)),
  );
  expect(hours).toEqual([[[8, 9.5]], [[11, 12]], [[0, 24]]]);
  expect(model.agents[0]!.offlineAt).toEqual([]);
  const { all } = measure(simulate(model), model);
  expect(all).toMatchObject({ chats: 3, refused: 3, answered: 0 });
});

it('changes how long idle chats stay open', () => {
  const idleMs = new Map([
    ['A', 15 * 60_000],
    ['B', 10 * 60_000],
    ['C', 60_000],
  ]);
  const workOf = (minutes: number): number[] =>
    apply({ idle: { minutesNow: 15, minutes, idleMs } }).chats.map(({ workMs }) => workMs / 60_000);
  expect(workOf(5)).toEqual([50, 55, 60]);
  expect(workOf(30)).toEqual([75, 60, 60]);
  expect(workOf(15)).toEqual([60, 60, 60]);
});

it('measures waits and occupancy', () => {
  const model = apply({ limit: 1 });
  const { all, occupancy, agents, groups: byGroup } = measure(simulate(model), model);
  expect(all).toEqual({
    ...{ chats: 3, answered: 3, queued: 2, left: 0, refused: 0, waiting: 0 },
    wait: { p50: 59 * 60_000, p90: 118 * 60_000, max: 118 * 60_000, average: 59 * 60_000 },
  });
  expect(byGroup).toMatchObject([{ id: 1, chats: 3 }]);
  expect(agents).toMatchObject([
    { login: 'ann', answered: 3, occupancy: 3 / 24 },
    { login: 'bot', occupancy: 0 },
  ]);
  expect(occupancy).toBeCloseTo(3 / (24 * 51));
});
