import type fc from 'fast-check';
import type { RunBudget } from '#server/testing/models/run-budget.ts';
import { type Allowance, faultsOf, newAllowance } from './routing-model-invariants.ts';
import { groupStatusesOf, positionsOf, takersOf, waitingIn } from './routing-model-rules.ts';
import { type Answer, asCustomer, type Shop } from './routing-model-shop.ts';
import { type Snapshot, takeSnapshot } from './routing-model-snapshot.ts';
import { type Acting, perform, type Step } from './routing-model-steps.ts';
import type { Told } from './routing-model-told.ts';

/** Operations on the two processes. */
export interface Stage {
  /** Only with a simulated clock. */
  passTime?(shop: Shop, seconds: number, side: number): Promise<void>;
  restart(shop: Shop, side: number): Promise<void>;
  /** How long events may take to arrive. */
  patienceMs: number;
}

export interface World extends Acting {
  told: Told;
  stage: Stage;
  before: Snapshot;
}

export const openWorld = async (shop: Shop, told: Told, stage: Stage): Promise<World> => ({
  ...{ shop, told, stage },
  allowance: newAllowance(),
  passedOver: new Map(),
  before: await takeSnapshot(shop),
});

/** Compares statuses and queue positions in the API of both processes, in observed events and by the rules. */
async function* faultsOfWords({ shop, told }: World, after: Snapshot): AsyncGenerator<string> {
  const statuses = groupStatusesOf(after);
  const positions = positionsOf(after);
  const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
  for (const [at, side] of shop.sides.entries()) {
    const { body } = await asCustomer(shop, side, shop.customers[0]!, 'list_group_statuses', { all: true });
    if (!same(body.groups_status, statuses))
      yield `process ${at} says ${JSON.stringify(body.groups_status)}, not ${JSON.stringify(statuses)}`;
  }
  for (const [at, heard] of told.statuses.entries())
    if (!same(heard, statuses)) yield `${at} was told ${JSON.stringify(heard)}, not ${JSON.stringify(statuses)}`;
  for (const [at, { chatId }] of waitingIn(after).entries()) {
    const { customer } = shop.chats.find(({ id }) => id === chatId)!;
    const { body } = await asCustomer(shop, shop.sides[at % 2]!, customer, 'get_chat', { chat_id: chatId });
    const { position, wait_time: waitTime } = body.thread?.queue ?? {};
    if (position !== positions.get(chatId)) yield `${chatId} is at ${position}, not at ${positions.get(chatId)}`;
    const heard = told.places.get(chatId);
    if (heard?.position !== position || heard?.waitTime !== waitTime)
      yield `${chatId} was told ${JSON.stringify(heard)}, and reads ${JSON.stringify({ position, waitTime })}`;
  }
}

/** Compares agents and chats with the model. */
function* faultsOfModel({ shop, stage }: World, after: Snapshot): Generator<string> {
  for (const agent of shop.agents) {
    const { status } = after.agents.find(({ id }) => id === agent.login)!;
    const isForetold = stage.passTime !== undefined && agent.status !== undefined;
    if (isForetold && agent.status !== status) yield `${agent.login} is ${status}, not ${agent.status}`;
    agent.status = status;
  }
  const active = after.chats.filter((chat) => chat.active).map(({ id }) => id);
  for (const { id, open } of shop.chats) {
    if (open && !active.includes(id)) yield `chat ${id} was lost`;
    if (!open && active.includes(id)) yield `chat ${id} goes on`;
  }
  if (after.chats.length !== shop.chats.length) yield `there are ${after.chats.length} chats, not ${shop.chats.length}`;
}

/** Checks that no chat was assigned to an agent who could have taken a chat ahead of it in the queue. */
function* faultsOfOrder(before: Snapshot, after: Snapshot): Generator<string> {
  const still = waitingIn(after).map(({ id }) => id);
  const queue = waitingIn(before);
  for (const [at, stay] of queue.entries()) {
    const given = after.assignments.find(({ threadId, endedAt }) => threadId === stay.threadId && endedAt === null);
    const byRouting = given && !['transferred', 'taken_over'].includes(given.rule);
    if (!byRouting || still.includes(stay.id)) continue;
    for (const earlier of queue.slice(0, at)) {
      const chat = after.chats.find(({ id }) => id === earlier.chatId)!;
      const withRoom = { ...after, chats: after.chats.filter(({ id }) => id !== stay.chatId) };
      const couldTake = takersOf(withRoom, chat).some(({ id }) => id === given.agentId);
      if (still.includes(earlier.id) && couldTake) yield `${stay.chatId} was answered before ${earlier.chatId}`;
    }
  }
}

const checkAnswer = (step: string, answer: Answer | undefined): string[] =>
  answer && answer.status >= 500 ? [`${step} answered ${answer.status}: ${JSON.stringify(answer.body)}`] : [];

/** Ignores a chat that waits although the agent it was taken from could take it: they get it back only later. */
const withoutPassedOver = ({ passedOver }: World, faults: string[]): string[] =>
  faults.filter((fault) =>
    [...passedOver].every(([chatId, agentId]) => fault !== `chat ${chatId} waits although ${agentId} could take it`),
  );

/** Events take time to travel between processes, so a difference counts only if it persists. */
const listen = async (world: World, after: Snapshot): Promise<string[]> => {
  const until = performance.now() + world.stage.patienceMs;
  for (;;) {
    const wrong: string[] = [];
    for await (const fault of faultsOfWords(world, after)) wrong.push(fault);
    if (wrong.length === 0 || performance.now() > until) return wrong;
  }
};

const check = async (world: World, allowance: Allowance, faults: string[]): Promise<void> => {
  const { shop, before } = world;
  const after = await takeSnapshot(shop);
  const found = [...faults, ...faultsOfModel(world, after), ...faultsOf(before, after, allowance)];
  found.push(...(await listen(world, after)));
  world.before = after;
  world.allowance = newAllowance();
  for (const [chatId] of world.passedOver)
    if (!waitingIn(after).some((stay) => stay.chatId === chatId)) world.passedOver.delete(chatId);
  const wrong = withoutPassedOver(world, found);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
};

/** No command starts after the budget is spent. */
export interface Model {
  budget: RunBudget;
}

type Command = fc.AsyncCommand<Model, World, true>;

const command = (name: string, run: (world: World) => Promise<void>): Command => ({
  check: async ({ budget }) => !budget.isSpent(),
  run: async (_, world) => {
    try {
      await run(world);
    } catch (error) {
      throw new Error(`after ${name}\n${(error as Error).message}`, { cause: error });
    }
  },
  toString: () => name,
});

const OUT_OF_TURN = ['transfer_to_agent', 'transfer_to_group', 'hand_on', 'take_over'];

export const one = (step: Step): Command =>
  command(JSON.stringify(step), async (world) => {
    const before = world.before;
    const faults = checkAnswer(step.kind, await perform(step, world));
    await check(world, world.allowance, faults);
    const disorder = OUT_OF_TURN.includes(step.kind) ? [] : [...faultsOfOrder(before, world.before)];
    if (disorder.length > 0) throw new Error(disorder.join('\n'));
  });

/** Keeps one socket operation per agent, so that the connection row of a login can be identified. */
const withoutTwins = (steps: Step[], agents: number): Step[] => {
  const sockets = ['log_in', 'cut', 'log_out', 'set_away', 'set_status'];
  const seen = new Set<number>();
  return steps.filter((step) => {
    if (!sockets.includes(step.kind) || !('agent' in step)) return true;
    const isFirst = !seen.has(step.agent % agents);
    seen.add(step.agent % agents);
    return isFirst;
  });
};

export const burst = (steps: Step[]): Command =>
  command(`at once ${JSON.stringify(steps)}`, async (world) => {
    const doing = withoutTwins(steps, world.shop.agents.length);
    const answers = await Promise.all(doing.map((step) => perform(step, world)));
    const faults = answers.flatMap((answer, at) => checkAnswer(doing[at]!.kind, answer));
    await check(world, world.allowance, faults);
  });

/** Chats that become idle meanwhile are closed by the server, which is expected. */
export const passTime = (seconds: number, side: number): Command =>
  command(`${seconds} s pass, process ${side} looks`, async (world) => {
    const { shop, stage } = world;
    await stage.passTime!(shop, seconds, side);
    const { chats } = await takeSnapshot(shop);
    for (const chat of shop.chats) chat.open &&= chats.find(({ id }) => id === chat.id)!.active;
    world.passedOver.clear();
    await check(world, world.allowance, []);
  });

export const restart = (side: number): Command =>
  command(`process ${side} restarts`, async (world) => {
    await world.stage.restart(world.shop, side);
    await check(world, world.allowance, []);
  });
