import { acceptingAgents, chooseFrom } from '../routing/candidates.ts';
import { hasRoom } from '../routing/choose-least-busy.ts';
import type { RoutableAgent, RoutableGroup, RoutingSnapshot } from '../routing/routing-snapshot.ts';
import type { SimulatedAgent } from './model.ts';

/** The state of an agent during a simulation. */
export interface WorkingAgent extends RoutableAgent {
  agent: SimulatedAgent;
}

/** Chats that can be assigned to the same agents. */
export interface ChatKind {
  key: string;
  groupIds: number[];
  botAnswered: boolean;
}

export const chatKindOf = (groupIds: number[], botAnswered: boolean): ChatKind => ({
  key: `${botAnswered} ${groupIds.join()}`,
  groupIds,
  botAnswered,
});

export interface Workforce {
  all: ReadonlyMap<string, WorkingAgent>;
  setAccepting(worker: WorkingAgent, accepting: boolean): void;
  hasRoom(worker: WorkingAgent): boolean;
  /** Whether chats of this kind may be assigned to this agent when it has room. */
  serves(worker: WorkingAgent, kind: ChatKind): boolean;
  isOnline(kind: ChatKind): boolean;
  /** The agent who gets the next chat of this kind; undefined when all are at their limit or away. */
  choose(kind: ChatKind): WorkingAgent | undefined;
}

const toWorkingAgent = (agent: SimulatedAgent): WorkingAgent => {
  const { id, kind, limit, groupIds, lastAssignedAt } = agent;
  return { agent, id, kind, limit, groupIds, open: 0, ...(lastAssignedAt ? { lastAssignedAt } : {}) };
};

type Team = ReturnType<typeof acceptingAgents> & { members: Set<RoutableAgent> };

/** Applies the server's own routing rules to simulated agents. */
export const createWorkforce = (agents: SimulatedAgent[], groups: RoutableGroup[]): Workforce => {
  const all = new Map(agents.map((agent) => [agent.id, toWorkingAgent(agent)]));
  const accepting = new Set<WorkingAgent>();
  const teams = new Map<string, Team>();
  let snapshot: RoutingSnapshot = { agents: [], groups, waiting: [] };

  // Cached, because it only depends on agent statuses, which rarely change.
  const teamOf = (kind: ChatKind): Team => {
    const cached = teams.get(kind.key);
    if (cached) return cached;
    const found = acceptingAgents(snapshot, kind);
    const team = { ...found, members: new Set([...found.bots, ...found.people]) };
    teams.set(kind.key, team);
    return team;
  };

  return {
    all,
    setAccepting: (worker, is) => {
      if (is) accepting.add(worker);
      else accepting.delete(worker);
      snapshot = { ...snapshot, agents: [...accepting] };
      teams.clear();
    },
    hasRoom: (worker) => accepting.has(worker) && hasRoom(worker),
    serves: (worker, kind) => teamOf(kind).members.has(worker),
    isOnline: (kind) => teamOf(kind).members.size > 0,
    choose: (kind) => {
      const chosen = chooseFrom(teamOf(kind));
      return chosen && all.get(chosen.agentId);
    },
  };
};
