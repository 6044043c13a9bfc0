import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Interval, Model, SimulatedAgent, SimulatedChat, SimulationResult } from './model.ts';
import { readHistory, type StoredThread } from './read-history.ts';
import { simulate } from './simulate.ts';

const window: Interval = { from: 1000, to: 3000 };
const groups = [0, 1, 2, 3].map((id) => ({ id, name: `Group ${id}`, botsFirst: false }));
const always = [window];

const time = fc.integer({ min: 900, max: 3100 });
const someGroups = fc.subarray([1, 2, 3], { minLength: 1 });

const shifts = fc.uniqueArray(time, { minLength: 2, maxLength: 6 }).map((times) => {
  const sorted = times.sort((one, other) => one - other);
  return sorted.flatMap((from, at) => (at % 2 === 0 && sorted[at + 1] ? [{ from, to: sorted[at + 1]! }] : []));
});

/** An agent may leave open chats behind at the end of a shift. */
const availability = fc.record({ accepting: fc.oneof(fc.constant(always), shifts), leaves: fc.boolean() });

const agents = fc
  .array(fc.record({ limit: fc.integer({ min: 0, max: 3 }), groupIds: someGroups, when: availability }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((some) =>
    some.map(
      ({ limit, groupIds, when }, at): SimulatedAgent => ({
        ...{ id: `agent-${at}`, kind: 'person', limit, groupIds, accepting: when.accepting },
        offlineAt: when.leaves ? when.accepting.map(({ to }) => to).filter((to) => to < window.to) : [],
      }),
    ),
  );

const chatsWith = (patience: fc.Arbitrary<number | undefined>): fc.Arbitrary<SimulatedChat[]> =>
  fc
    .array(
      fc.record({
        groupIds: fc.oneof(someGroups, fc.constant<number[]>([0])),
        arrivesAt: fc.integer({ min: window.from, max: window.to - 1 }),
        workMs: fc.integer({ min: 1, max: 300 }),
        patienceMs: patience,
        continuous: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    .map((some) => some.map((chat, at) => ({ ...chat, id: `chat-${at}`, priority: 0, botMs: 0, carriedOver: false })));

const impatient = chatsWith(fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }));
const patient = chatsWith(fc.constant(undefined));

const models = fc.record({ window: fc.constant(window), groups: fc.constant(groups), agents, chats: impatient });

const openAt = ({ workIntervals }: SimulationResult, agentId: string, at: number): number =>
  workIntervals.filter((one) => one.agentId === agentId && one.from <= at && at < one.to).length;

const startOf = ({ workIntervals }: SimulationResult, chatId: string): number =>
  Math.min(...workIntervals.filter((one) => one.chatId === chatId).map(({ from }) => from));

it('never exceeds the limit of an agent', () => {
  fc.assert(
    fc.property(models, (model) => {
      const result = simulate(model);
      for (const { id, limit } of model.agents)
        for (const { from } of result.workIntervals) expect(openAt(result, id, from)).toBeLessThanOrEqual(limit);
    }),
  );
});

it('assigns chats only to agents of the chat’s groups who accept chats at that time', () => {
  fc.assert(
    fc.property(models, (model) => {
      for (const { agentId, chatId, from } of simulate(model).workIntervals) {
        const agent = model.agents.find(({ id }) => id === agentId)!;
        const chat = model.chats.find(({ id }) => id === chatId)!;
        expect(agent.accepting.some((shift) => shift.from <= from && from < shift.to)).toBe(true);
        expect(chat.groupIds.some((id) => id === 0 || agent.groupIds.includes(id))).toBe(true);
      }
    }),
  );
});

it('never queues a chat while an agent who may answer it has room', () => {
  fc.assert(
    fc.property(models, (model) => {
      const result = simulate(model);
      const instants = [
        ...result.workIntervals.flatMap(({ from, to }) => [from, to]),
        ...model.chats.map((one) => one.arrivesAt),
      ];
      for (const { chatId, waitMs, status, groupIds } of result.outcomes) {
        const chat = model.chats.find(({ id }) => id === chatId)!;
        if (status === 'refused' || (status === 'answered' && startOf(result, chatId) !== chat.arrivesAt + waitMs))
          continue;
        for (const at of instants.filter(
          (one) => one >= chat.arrivesAt && one < chat.arrivesAt + waitMs && one < window.to,
        ))
          for (const { id, limit, accepting, groupIds: theirs } of model.agents) {
            const serves = groupIds.some((group) => group === 0 || theirs.includes(group));
            if (serves && accepting.some(({ from, to }) => from <= at && at < to))
              expect(openAt(result, id, at)).toBeGreaterThanOrEqual(limit);
          }
      }
    }),
  );
});

it('answers chats of the same groups in order of arrival', () => {
  const staying = agents.map((some) => some.map((agent) => ({ ...agent, offlineAt: [] })));
  fc.assert(
    fc.property(staying, patient, (some, chats) => {
      const { outcomes } = simulate({ window, groups, agents: some, chats });
      const outcomeById = new Map(outcomes.map((one) => [one.chatId, one]));
      const startAt = ({ id, arrivesAt }: SimulatedChat): number => {
        const { status, waitMs } = outcomeById.get(id)!;
        return status === 'answered' ? arrivesAt + waitMs : window.to;
      };
      const came = chats.filter(({ id }) => outcomeById.get(id)!.status !== 'refused');
      for (const one of came)
        for (const other of came)
          if (one.groupIds.join() === other.groupIds.join() && one.arrivesAt < other.arrivesAt)
            expect(startAt(one)).toBeLessThanOrEqual(startAt(other));
    }),
  );
});

it('assigns an agent the chat that has waited longest of those it may answer', () => {
  const staying = agents.map((some) => some.map((agent) => ({ ...agent, offlineAt: [] })));
  fc.assert(
    fc.property(staying, impatient, (some, chats) => {
      const { outcomes, workIntervals } = simulate({ window, groups, agents: some, chats });
      const waits = outcomes.map(({ chatId, waitMs, status }) => {
        const { arrivesAt, groupIds } = chats.find(({ id }) => id === chatId)!;
        return { chatId, groupIds, from: arrivesAt, to: status === 'refused' ? arrivesAt : arrivesAt + waitMs };
      });
      for (const { chatId, agentId, from } of workIntervals) {
        const { groupIds } = some.find(({ id }) => id === agentId)!;
        const { from: arrivedAt } = waits.find((one) => one.chatId === chatId)!;
        const overtaken = waits.filter(
          (one) =>
            one.from < arrivedAt && one.to > from && one.groupIds.some((id) => id === 0 || groupIds.includes(id)),
        );
        expect(overtaken).toEqual([]);
      }
    }),
  );
});

it('queues no chat when capacity exceeds demand', () => {
  fc.assert(
    fc.property(agents, impatient, (some, chats) => {
      const roomy = some.map((agent) => ({
        ...agent,
        limit: 100,
        groupIds: [1, 2, 3],
        accepting: always,
        offlineAt: [],
      }));
      for (const { status, waitMs } of simulate({ window, groups, agents: roomy, chats }).outcomes)
        expect({ status, waitMs }).toEqual({ status: 'answered', waitMs: 0 });
    }),
  );
});

it('does the work of every answered chat exactly once, even when agents go offline in between', () => {
  fc.assert(
    fc.property(models, (model) => {
      const { outcomes, workIntervals } = simulate(model);
      expect(outcomes.map(({ chatId }) => chatId).sort()).toEqual(model.chats.map(({ id }) => id).sort());
      for (const { chatId, status, waitMs } of outcomes) {
        const { workMs, arrivesAt } = model.chats.find(({ id }) => id === chatId)!;
        const worked = workIntervals
          .filter((one) => one.chatId === chatId)
          .reduce((sum, { from, to }) => sum + to - from, 0);
        const left = Math.max(window.to - arrivesAt - waitMs, 0);
        expect(worked).toBe(status === 'answered' ? Math.min(workMs, left) : 0);
      }
    }),
  );
});

it('starts no chat later when capacity grows, if all chats need the same agents and no customer leaves', () => {
  fc.assert(
    fc.property(agents, patient, fc.nat(3), (some, chats, which) => {
      const alike = some.map((agent) => ({ ...agent, groupIds: [1], accepting: always, offlineAt: [] }));
      const more = alike.map((agent, at) => (at === which ? { ...agent, limit: agent.limit + 1 } : agent));
      const same = chats.map((chat) => ({ ...chat, groupIds: [1] }));
      const waits = (model: SimulatedAgent[]): number[] =>
        simulate({ window, groups, agents: model, chats: same }).outcomes.map(({ waitMs }) => waitMs);
      const before = waits(alike);
      for (const [at, wait] of waits(more).entries()) expect(wait).toBeLessThanOrEqual(before[at]!);
    }),
  );
});

it('gives the same result for any order of agents and chats', () => {
  fc.assert(
    fc.property(models, (model) => {
      const turned = { ...model, chats: model.chats.toReversed(), agents: model.agents.toReversed() };
      expect(simulate(turned).outcomes).toEqual(simulate(model).outcomes);
    }),
  );
});

/** Stores a result the way the server would have. */
const store = ({ chats }: Model, { outcomes, workIntervals }: SimulationResult): StoredThread[] =>
  outcomes
    .filter(({ status }) => status !== 'refused')
    .map(({ chatId, status, waitMs, queued }) => {
      const { groupIds, arrivesAt, continuous } = chats.find(({ id }) => id === chatId)!;
      const mine = workIntervals.filter((one) => one.chatId === chatId).sort((one, other) => one.from - other.from);
      const ends = [arrivesAt, ...mine.map(({ to }) => to)];
      const gaps = ends.map((from, at) => ({ from, to: mine[at]?.from ?? (at === 0 ? arrivesAt + waitMs : from) }));
      const queueEntries = gaps.filter(({ from, to }, at) => to > from || (at === 0 && queued && mine.length === 0));
      const outcome = status === 'left' ? ('left' as const) : status === 'waiting' ? null : ('assigned' as const);
      return {
        ...{ id: chatId, groupIds, continuous, createdAt: arrivesAt },
        queueEntries: queueEntries.map((entry) => ({ ...entry, groupIds, outcome, priority: 0 })),
        assignments: mine.map(({ agentId, from, to }) => ({
          ...{ agentId, from, to, groupIds },
          byBot: false,
          rule: 'lowest_load',
        })),
      };
    });

it('reproduces the actual result when nothing is changed', () => {
  const staying = models.map((model) => ({ ...model, agents: model.agents.map((one) => ({ ...one, offlineAt: [] })) }));
  fc.assert(
    fc.property(staying, (model) => {
      const result = simulate(model);
      const history = readHistory(store(model, result), window);
      const byId = (one: { chatId: string }, other: { chatId: string }): number => (one.chatId < other.chatId ? -1 : 1);
      const actual = result.outcomes.filter(({ status }) => status !== 'refused').sort(byId);
      expect(history.outcomes.toSorted(byId)).toEqual(actual);
      expect(simulate({ ...model, chats: history.chats }).outcomes.toSorted(byId)).toEqual(actual);
    }),
  );
});
