import { acceptingOn, chooseAmong } from '../candidates.ts';
import { hasRoom } from '../decide.ts';
import type { Floor, FloorAgent, FloorGroup } from '../floor.ts';
import type { SimulatedAgent } from './model.ts';

/** An agent at work. */
export interface Desk extends FloorAgent {
  agent: SimulatedAgent;
}

/** Chats that the same agents may answer. */
export interface Kind {
  key: string;
  groupIds: number[];
  botDone: boolean;
}

export const kindOf = (groupIds: number[], botDone: boolean): Kind => ({
  key: `${botDone} ${groupIds.join()}`,
  groupIds,
  botDone,
});

export interface Desks {
  all: ReadonlyMap<string, Desk>;
  setAccepting(desk: Desk, accepting: boolean): void;
  hasRoom(desk: Desk): boolean;
  /** Whether this agent may answer such chats now, if it has room. */
  serves(desk: Desk, kind: Kind): boolean;
  isOnline(kind: Kind): boolean;
  /** Who gets the next chat of this kind; nobody when all are full or away. */
  choose(kind: Kind): Desk | undefined;
}

const toDesk = (agent: SimulatedAgent): Desk => {
  const { id, kind, limit, groupIds, lastAssignedAt } = agent;
  return { agent, id, kind, limit, groupIds, open: 0, ...(lastAssignedAt ? { lastAssignedAt } : {}) };
};

type Team = ReturnType<typeof acceptingOn> & { members: Set<FloorAgent> };

/** The agents, asked with the server's own rules. */
export const createDesks = (agents: SimulatedAgent[], groups: FloorGroup[]): Desks => {
  const all = new Map(agents.map((agent) => [agent.id, toDesk(agent)]));
  const accepting = new Set<Desk>();
  const teams = new Map<string, Team>();
  let floor: Floor = { agents: [], groups, waiting: [] };

  // Who may answer changes with the statuses only, and those change seldom.
  const teamOf = (kind: Kind): Team => {
    const known = teams.get(kind.key);
    if (known) return known;
    const found = acceptingOn(floor, kind);
    const team = { ...found, members: new Set([...found.bots, ...found.people]) };
    teams.set(kind.key, team);
    return team;
  };

  return {
    all,
    setAccepting: (desk, is) => {
      if (is) accepting.add(desk);
      else accepting.delete(desk);
      floor = { ...floor, agents: [...accepting] };
      teams.clear();
    },
    hasRoom: (desk) => accepting.has(desk) && hasRoom(desk),
    serves: (desk, kind) => teamOf(kind).members.has(desk),
    isOnline: (kind) => teamOf(kind).members.size > 0,
    choose: (kind) => {
      const chosen = chooseAmong(teamOf(kind));
      return chosen && all.get(chosen.agentId);
    },
  };
};
