import type fc from 'fast-check';
import type { RunBudget } from '#server/testing/models/run-budget.ts';
import { type Allowance, faultsOf, newAllowance } from './routing-model-invariants.ts';
import { groupStatusesOf, positionsOf, takersOf, waitingIn } from './routing-model-rules.ts';
import { type Answer, asCustomer, type Shop } from './routing-model-shop.ts';
import { type Snapshot, takeSnapshot } from './routing-model-snapshot.ts';
import { type Acting, perform, type Step } from './routing-model-steps.ts';
import type { Told } from './routing-model-told.ts';

/** What the two processes are to the test, beside their addresses. */
export interface Stage {
  /** Only where the test holds the clock. */
  passTime?(shop: Shop, seconds: number, side: number): Promise<void>;
  restart(shop: Shop, side: number): Promise<void>;
  /** How long words may be on their way. */
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

/** Statuses and places by the API of either process, by what was told, and by the rules. */
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

/** What was foretold of agents and chats. What time closed is closed. */
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

/** Whoever had a place in front keeps it: nobody from behind is answered by an agent who could have taken the first. */
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

/** A chat that its agent was taken out of waits for others, and for that agent only later. */
const withoutPassedOver = ({ passedOver }: World, faults: string[]): string[] =>
  faults.filter((fault) =>
    [...passedOver].every(([chatId, agentId]) => fault !== `chat ${chatId} waits although ${agentId} could take it`),
  );

/** Words need their time between processes. They are wrong when they stay so. */
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

/** Nothing begins after this. */
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

/** One login of an agent is enough at a time: its socket must be told from others. */
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

/** What falls silent meanwhile is closed; that is no loss. */
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
