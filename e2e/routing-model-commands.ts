import type fc from 'fast-check';
import type { RunBudget } from '#server/testing/models/run-budget.ts';
import { type Answer, asCustomer, type Shop } from './routing-model-fixture.ts';
import { type Allowance, findViolations, newAllowance } from './routing-model-invariants.ts';
import type { ObservedState } from './routing-model-observed-events.ts';
import { availableAgents, groupStatusesOf, positionsOf, waitingIn } from './routing-model-rules.ts';
import { type Snapshot, takeSnapshot } from './routing-model-snapshot.ts';
import { perform, type Step, type StepContext } from './routing-model-steps.ts';

/** Operations on the two processes. */
export interface ProcessControl {
  /** Only with a simulated clock. */
  passTime?(shop: Shop, seconds: number, server: number): Promise<void>;
  restart(shop: Shop, server: number): Promise<void>;
  /** How long events may take to arrive. */
  timeoutMs: number;
}

export interface Fixture extends StepContext {
  observed: ObservedState;
  control: ProcessControl;
  before: Snapshot;
}

export const createFixture = async (
  shop: Shop,
  observed: ObservedState,
  control: ProcessControl,
): Promise<Fixture> => ({
  ...{ shop, observed, control },
  allowance: newAllowance(),
  passedOver: new Map(),
  before: await takeSnapshot(shop),
});

/** Compares statuses and queue positions in the API of both processes, in observed events and by the rules. */
async function* viewViolations({ shop, observed }: Fixture, after: Snapshot): AsyncGenerator<string> {
  const statuses = groupStatusesOf(after);
  const positions = positionsOf(after);
  const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
  for (const [at, server] of shop.servers.entries()) {
    const { body } = await asCustomer(shop, server, shop.customers[0]!, 'list_group_statuses', { all: true });
    if (!same(body.groups_status, statuses))
      yield `process ${at} says ${JSON.stringify(body.groups_status)}, not ${JSON.stringify(statuses)}`;
  }
  for (const [at, observedValue] of observed.statuses.entries())
    if (!same(observedValue, statuses))
      yield `${at} received ${JSON.stringify(observedValue)}, not ${JSON.stringify(statuses)}`;
  for (const [at, { chatId }] of waitingIn(after).entries()) {
    const { customer } = shop.chats.find(({ id }) => id === chatId)!;
    const { body } = await asCustomer(shop, shop.servers[at % 2]!, customer, 'get_chat', { chat_id: chatId });
    const { position, wait_time: waitTime } = body.thread?.queue ?? {};
    if (position !== positions.get(chatId)) yield `${chatId} is at ${position}, not at ${positions.get(chatId)}`;
    const observedValue = observed.queuePositions.get(chatId);
    if (observedValue?.position !== position || observedValue?.waitTime !== waitTime)
      yield `${chatId} received ${JSON.stringify(observedValue)}, and reads ${JSON.stringify({ position, waitTime })}`;
  }
}

/** Compares agents and chats with the model. */
function* modelViolations({ shop, control }: Fixture, after: Snapshot): Generator<string> {
  for (const agent of shop.agents) {
    const { status } = after.agents.find(({ id }) => id === agent.login)!;
    const isPredictable = control.passTime !== undefined && agent.status !== undefined;
    if (isPredictable && agent.status !== status) yield `${agent.login} is ${status}, not ${agent.status}`;
    agent.status = status;
  }
  const active = after.chats.filter((chat) => chat.active).map(({ id }) => id);
  for (const { id, open } of shop.chats) {
    if (open && !active.includes(id)) yield `chat ${id} was lost`;
    if (!open && active.includes(id)) yield `chat ${id} is still active`;
  }
  if (after.chats.length !== shop.chats.length) yield `there are ${after.chats.length} chats, not ${shop.chats.length}`;
}

/** Checks that no chat was assigned to an agent who could have taken a chat ahead of it in the queue. */
function* queueOrderViolations(before: Snapshot, after: Snapshot): Generator<string> {
  const stillWaiting = waitingIn(after).map(({ id }) => id);
  const queue = waitingIn(before);
  for (const [at, entry] of queue.entries()) {
    const assignment = after.assignments.find(
      ({ threadId, endedAt }) => threadId === entry.threadId && endedAt === null,
    );
    const byRouting = assignment && !['transferred', 'taken_over'].includes(assignment.rule);
    if (!byRouting || stillWaiting.includes(entry.id)) continue;
    for (const earlier of queue.slice(0, at)) {
      const chat = after.chats.find(({ id }) => id === earlier.chatId)!;
      const withRoom = { ...after, chats: after.chats.filter(({ id }) => id !== entry.chatId) };
      const couldTake = availableAgents(withRoom, chat).some(({ id }) => id === assignment.agentId);
      if (stillWaiting.includes(earlier.id) && couldTake) yield `${entry.chatId} was answered before ${earlier.chatId}`;
    }
  }
}

const checkResponse = (step: string, answer: Answer | undefined): string[] =>
  answer && answer.status >= 500 ? [`${step} answered ${answer.status}: ${JSON.stringify(answer.body)}`] : [];

/** Ignores a chat that waits although the agent it was taken from could take it: they get it back only later. */
const withoutPassedOver = ({ passedOver }: Fixture, violations: string[]): string[] =>
  violations.filter((violation) =>
    [...passedOver].every(
      ([chatId, agentId]) => violation !== `chat ${chatId} waits although ${agentId} could take it`,
    ),
  );

/** Events take time to travel between processes, so a difference counts only if it persists. */
const waitForConsistentViews = async (fixture: Fixture, after: Snapshot): Promise<string[]> => {
  const until = performance.now() + fixture.control.timeoutMs;
  for (;;) {
    const wrong: string[] = [];
    for await (const violation of viewViolations(fixture, after)) wrong.push(violation);
    if (wrong.length === 0 || performance.now() > until) return wrong;
  }
};

const check = async (fixture: Fixture, allowance: Allowance, violations: string[]): Promise<void> => {
  const { shop, before } = fixture;
  const after = await takeSnapshot(shop);
  const found = [...violations, ...modelViolations(fixture, after), ...findViolations(before, after, allowance)];
  found.push(...(await waitForConsistentViews(fixture, after)));
  fixture.before = after;
  fixture.allowance = newAllowance();
  for (const [chatId] of fixture.passedOver)
    if (!waitingIn(after).some((entry) => entry.chatId === chatId)) fixture.passedOver.delete(chatId);
  const wrong = withoutPassedOver(fixture, found);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
};

/** No command starts after the budget is spent. */
export interface Model {
  budget: RunBudget;
}

type Command = fc.AsyncCommand<Model, Fixture, true>;

const command = (name: string, run: (fixture: Fixture) => Promise<void>): Command => ({
  check: async ({ budget }) => !budget.isSpent(),
  run: async (_, fixture) => {
    try {
      await run(fixture);
    } catch (error) {
      throw new Error(`after ${name}\n${(error as Error).message}`, { cause: error });
    }
  },
  toString: () => name,
});

const STEPS_BYPASSING_QUEUE = ['transfer_to_agent', 'transfer_to_group', 'transfer_to_any', 'take_over'];

export const one = (step: Step): Command =>
  command(JSON.stringify(step), async (fixture) => {
    const before = fixture.before;
    const violations = checkResponse(step.kind, await perform(step, fixture));
    await check(fixture, fixture.allowance, violations);
    const orderViolations = STEPS_BYPASSING_QUEUE.includes(step.kind)
      ? []
      : [...queueOrderViolations(before, fixture.before)];
    if (orderViolations.length > 0) throw new Error(orderViolations.join('\n'));
  });

/** Keeps one socket operation per agent, so that the connection row of a login can be identified. */
const withoutRepeatedAgents = (steps: Step[], agents: number): Step[] => {
  const sockets = ['log_in', 'disconnect', 'log_out', 'set_away', 'set_status'];
  const seen = new Set<number>();
  return steps.filter((step) => {
    if (!sockets.includes(step.kind) || !('agent' in step)) return true;
    const isFirst = !seen.has(step.agent % agents);
    seen.add(step.agent % agents);
    return isFirst;
  });
};

export const burst = (steps: Step[]): Command =>
  command(`concurrently ${JSON.stringify(steps)}`, async (fixture) => {
    const doing = withoutRepeatedAgents(steps, fixture.shop.agents.length);
    const answers = await Promise.all(doing.map((step) => perform(step, fixture)));
    const violations = answers.flatMap((answer, at) => checkResponse(doing[at]!.kind, answer));
    await check(fixture, fixture.allowance, violations);
  });

/** Chats that become idle meanwhile are closed by the server, which is expected. */
export const passTime = (seconds: number, server: number): Command =>
  command(`${seconds} s pass, process ${server} runs due tasks`, async (fixture) => {
    const { shop, control } = fixture;
    await control.passTime!(shop, seconds, server);
    const { chats } = await takeSnapshot(shop);
    for (const chat of shop.chats) chat.open &&= chats.find(({ id }) => id === chat.id)!.active;
    fixture.passedOver.clear();
    await check(fixture, fixture.allowance, []);
  });

export const restart = (server: number): Command =>
  command(`process ${server} restarts`, async (fixture) => {
    await fixture.control.restart(fixture.shop, server);
    await check(fixture, fixture.allowance, []);
  });
