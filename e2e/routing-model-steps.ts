import fc from 'fast-check';
import { setAgentGroups, setMaxChats } from '#server/domain/support/agents/profile/agent-routing-settings.ts';
import {
  type Answer,
  asAgent,
  asCustomer,
  logIn,
  type ModelAgent,
  type ModelChat,
  type OpenSocket,
  type Server,
  type Shop,
  waitForDisconnect,
} from './routing-model-fixture.ts';
import type { Allowance } from './routing-model-invariants.ts';

const DISCONNECT_GRACE_MS = 30_000;

const index = fc.nat({ max: 99 });
const server = fc.nat({ max: 1 });
const group = fc.nat({ max: 3 });
/** Mostly the same group, so that many chats compete for the same agents. */
const groups = fc.oneof(
  { weight: 5, arbitrary: fc.constant([0]) },
  { weight: 4, arbitrary: group.map((id) => [id]) },
  { weight: 1, arbitrary: fc.uniqueArray(group, { minLength: 2, maxLength: 2 }) },
);
const ignore = fc.constantFrom(undefined, undefined, true, false);

/** Actions of agents and customers. Agents, customers and chats are given as numbers modulo their count. */
const steps = {
  log_in: fc.record({ agent: index, server, away: fc.constantFrom(false, false, true), reconnect: fc.boolean() }),
  disconnect: fc.record({ agent: index }),
  log_out: fc.record({ agent: index }),
  set_away: fc.record({ agent: index, away: fc.boolean() }),
  set_status: fc.record({
    agent: index,
    server,
    status: fc.constantFrom('accepting_chats', 'accepting_chats', 'not_accepting_chats', 'offline'),
  }),
  set_limit: fc.record({ agent: index, limit: fc.nat({ max: 3 }) }),
  set_groups: fc.record({ agent: index, groups: fc.uniqueArray(group, { maxLength: 2 }) }),
  set_fallback: fc.record({ server, group, fallback: fc.option(group), botsFirst: fc.boolean() }),
  arrive: fc.record({ customer: index, server, groups, continuous: fc.boolean(), again: fc.boolean() }),
  write: fc.record({ chat: index, server }),
  answer: fc.record({ chat: index, agent: index, server }),
  leave: fc.record({ chat: index, server }),
  close: fc.record({ chat: index, server }),
  transfer_to_agent: fc.record({ chat: index, by: index, agent: index, server, ignore }),
  transfer_to_group: fc.record({ chat: index, by: index, groups, server, ignore }),
  transfer_to_any: fc.record({ chat: index, by: index, server }),
  take_over: fc.record({ chat: index, agent: index, server }),
  remove: fc.record({ chat: index, server }),
  join: fc.record({ chat: index, agent: index, server, silent: fc.boolean() }),
} as const;

const weights: Partial<Record<Kind, number>> = { arrive: 12, set_status: 3, log_in: 3, leave: 3, close: 3, write: 2 };

type Steps = { [K in keyof typeof steps]: (typeof steps)[K] extends fc.Arbitrary<infer T> ? T : never };
export type Kind = keyof Steps;
export type Step = { [K in Kind]: { kind: K } & Steps[K] }[Kind];

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...(Object.keys(steps) as Kind[]).map((kind) => ({
    weight: weights[kind] ?? 1,
    arbitrary: (steps[kind] as fc.Arbitrary<object>).map((step) => ({ kind, ...step }) as Step),
  })),
);

export interface StepContext {
  shop: Shop;
  allowance: Allowance;
  /** The agent a chat was taken from although no other agent was available; the chat does not return to them immediately. */
  passedOver: Map<string, string>;
}

const pick = <T>(list: T[], at: number): T | undefined => (list.length === 0 ? undefined : list[at % list.length]);

const currentTime = ({ scope }: Shop): number => scope.now().getTime();

const hasLiveConnections = (shop: Shop, { connectionsExpireAt = 0 }: ModelAgent): boolean =>
  connectionsExpireAt > currentTime(shop);

const takeSocket = (agent: ModelAgent): OpenSocket | undefined => agent.sockets.shift();

type StepHandler<K extends Kind> = (step: Steps[K], context: StepContext) => Promise<Answer | undefined>;

const allowOverLimit = ({ forced }: Allowance, { login }: ModelAgent): void =>
  void forced.set(login, (forced.get(login) ?? 0) + 1);

const openChat = ({ chats }: Shop, at: number): ModelChat | undefined =>
  pick(
    chats.filter(({ open }) => open),
    at,
  );

const closing = async (chat: ModelChat, call: () => Promise<Answer>): Promise<Answer> => {
  const answer = await call();
  if (answer.status === 200) chat.open = false;
  return answer;
};

const transfer = async (
  { shop }: StepContext,
  step: { chat: number; server: number },
  by: ModelAgent,
  more: object,
): Promise<Answer | undefined> => {
  const chat = openChat(shop, step.chat);
  return chat && asAgent(shop.servers[step.server]!, by, 'transfer_chat', { id: chat.id, ...more });
};

const stepHandlers: { [K in Kind]: StepHandler<K> } = {
  log_in: async ({ agent: at, server: where, away, reconnect }, { shop }) => {
    const agent = pick(shop.agents, at)!;
    await logIn(shop, shop.servers[where]!, agent, { away, reconnect });
    if (agent.status === 'offline' && !away) agent.status = reconnect ? undefined : 'accepting chats';
    agent.disconnectedAt = undefined;
    return undefined;
  },
  disconnect: async ({ agent: at }, { shop }) => {
    const agent = pick(shop.agents, at)!;
    const socket = takeSocket(agent);
    if (!socket) return undefined;
    socket.socket.terminate();
    await waitForDisconnect(shop, agent, socket);
    if (agent.sockets.length === 0 && !hasLiveConnections(shop, agent)) agent.disconnectedAt = currentTime(shop);
    return undefined;
  },
  log_out: async ({ agent: at }, { shop }) => {
    const agent = pick(shop.agents, at)!;
    const socket = takeSocket(agent);
    if (!socket) return undefined;
    const answer = await socket.request('logout');
    await socket.closed;
    if (agent.sockets.length === 0 && !hasLiveConnections(shop, agent)) agent.status = 'offline';
    return { status: answer.success ? 200 : 500, body: answer };
  },
  set_away: async ({ agent: at, away }, { shop }) => {
    const [socket] = pick(shop.agents, at)!.sockets;
    if (!socket) return undefined;
    const answer = await socket.request('set_away_status', { away });
    return { status: answer.success ? 200 : 500, body: answer };
  },
  set_status: async ({ agent: at, server: where, status }, { shop }) => {
    const agent = pick(shop.agents, at)!;
    const answer = await asAgent(shop.servers[where]!, agent, 'set_routing_status', { status });
    agent.status =
      status === 'offline' ? status : status === 'accepting_chats' ? 'accepting chats' : 'not accepting chats';
    if (agent.sockets.length === 0 && !hasLiveConnections(shop, agent)) agent.disconnectedAt = undefined;
    return answer;
  },
  set_limit: async ({ agent: at, limit }, { shop, allowance }) => {
    const { login } = pick(shop.agents, at)!;
    allowance.limits.set(login, [...(allowance.limits.get(login) ?? []), limit]);
    await setMaxChats(shop.scope, { login, maxChatsCount: limit });
    return undefined;
  },
  set_groups: async ({ agent: at, groups: groupIds }, { shop }) => {
    await setAgentGroups(shop.scope, { login: pick(shop.agents, at)!.login, groupIds });
    return undefined;
  },
  set_fallback: ({ server: where, group: id, fallback, botsFirst }, { shop }) =>
    asAgent(
      ...([shop.servers[where]!, shop.agents[0]!, 'update_group_routing'] as const),
      { group_id: id, fallback_group_id: fallback, bots_first: botsFirst },
      'configuration',
    ),
  arrive: async ({ customer: at, server: where, groups: group_ids, continuous, again }, { shop }) => {
    const customer = pick(shop.customers, at)!;
    const access = { group_ids };
    const closed = shop.chats.find((chat) => chat.customer === customer && !chat.open);
    if (again && closed) {
      const body = { chat: { id: closed.id, access }, continuous };
      const answer = await asCustomer(shop, shop.servers[where]!, customer, 'resume_chat', body);
      if (answer.status === 200) closed.open = true;
      return answer;
    }
    const answer = await asCustomer(shop, shop.servers[where]!, customer, 'start_chat', {
      chat: { access },
      continuous,
    });
    if (answer.status === 200) shop.chats.push({ id: answer.body.chat_id, customer, open: true });
    return answer;
  },
  write: async ({ chat: at, server: where }, { shop }) => {
    const chat = openChat(shop, at);
    const body = { chat_id: chat?.id, event: { type: 'message', text: 'Is anybody there?' } };
    return chat && asCustomer(shop, shop.servers[where]!, chat.customer, 'send_event', body);
  },
  answer: async ({ chat: at, agent: by, server: where }, { shop, allowance }) => {
    const chat = openChat(shop, at);
    const agent = pick(shop.agents, by)!;
    if (!chat) return undefined;
    allowOverLimit(allowance, agent);
    const body = { chat_id: chat.id, event: { type: 'message', text: 'How can I help?' } };
    return asAgent(shop.servers[where]!, agent, 'send_event', body);
  },
  leave: async ({ chat: at, server: where }, { shop }) => {
    const chat = openChat(shop, at);
    return (
      chat &&
      closing(chat, () => asCustomer(shop, shop.servers[where]!, chat.customer, 'deactivate_chat', { id: chat.id }))
    );
  },
  close: async ({ chat: at, server: where }, { shop }) => {
    const chat = openChat(shop, at);
    const body = { id: chat?.id, ignore_requester_presence: true };
    return chat && closing(chat, () => asAgent(shop.servers[where]!, shop.agents[0]!, 'deactivate_chat', body));
  },
  transfer_to_agent: async (step, context) => {
    const { shop, allowance } = context;
    const agent = pick(shop.agents, step.agent)!;
    if (step.ignore) allowOverLimit(allowance, agent);
    const target = { type: 'agent', ids: [agent.login] };
    return transfer(context, step, pick(shop.agents, step.by)!, { target, ignore_agents_availability: step.ignore });
  },
  transfer_to_group: (step, context) =>
    transfer(context, step, pick(context.shop.agents, step.by)!, {
      target: { type: 'group', ids: step.groups },
      ignore_agents_availability: step.ignore,
    }),
  transfer_to_any: (step, context) => transfer(context, step, pick(context.shop.agents, step.by)!, {}),
  take_over: (step, context) => {
    const agent = pick(context.shop.agents, step.agent)!;
    return transfer(context, step, agent, { target: { type: 'agent', ids: [agent.login] } });
  },
  remove: async ({ chat: at, server: where }, { shop, passedOver }) => {
    const chat = openChat(shop, at);
    if (!chat) return undefined;
    const row = await shop.scope.from('chats').where('id', '=', chat.id).select('assigneeId').executeTakeFirstOrThrow();
    if (row.assigneeId === null) return undefined;
    passedOver.set(chat.id, row.assigneeId);
    const who = { chat_id: chat.id, user_id: row.assigneeId, user_type: 'agent', ignore_requester_presence: true };
    return asAgent(shop.servers[where]!, shop.agents[0]!, 'remove_user_from_chat', who);
  },
  join: async ({ chat: at, agent: by, server: where, silent }, { shop, allowance }) => {
    const chat = openChat(shop, at);
    const agent = pick(shop.agents, by)!;
    if (!chat) return undefined;
    if (!silent) allowOverLimit(allowance, agent);
    const body = { chat_id: chat.id, user_id: agent.login, user_type: 'agent', visibility: silent ? 'agents' : 'all' };
    return asAgent(shop.servers[where]!, agent, 'add_user_to_chat', body);
  },
};

/** Performs a step. A step that is not allowed is rejected by the server, which is also correct. */
export const perform = (step: Step, context: StepContext): Promise<Answer | undefined> =>
  (stepHandlers[step.kind] as StepHandler<Kind>)(step as never, context);

/** Called after the clock advanced and due tasks ran: agents disconnected for too long are expected to be offline. */
export const expectTimedOutOffline = (shop: Shop): void => {
  const now = currentTime(shop);
  for (const agent of shop.agents) {
    if (hasLiveConnections(shop, agent)) continue;
    const hadLiveConnections = agent.connectionsExpireAt !== undefined;
    agent.connectionsExpireAt = undefined;
    const isLost = hadLiveConnections || now - (agent.disconnectedAt ?? now) >= DISCONNECT_GRACE_MS;
    if (agent.sockets.length > 0 || !isLost) continue;
    agent.status = 'offline';
    agent.disconnectedAt = undefined;
  }
};

/** Called when a process was killed: its sockets are closed, and its connection rows count as alive until they expire. */
export const loseServer = (shop: Shop, gone: Server): void => {
  for (const agent of shop.agents) {
    const kept = agent.sockets.filter((socket) => socket.server !== gone);
    if (kept.length < agent.sockets.length) agent.connectionsExpireAt = currentTime(shop) + DISCONNECT_GRACE_MS;
    agent.sockets = kept;
  }
};
