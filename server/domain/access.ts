import type { Permission } from '#server/storage/tables/agents.ts';
import { DomainError } from './errors.ts';

/** What a customer's browser reports about itself. */
export interface Browser {
  userAgent?: string | undefined;
  referrer?: string | undefined;
  ip?: string | undefined;
}

export interface CustomerActor {
  kind: 'customer';
  id: string;
  browser?: Browser;
}

export interface AgentActor {
  kind: 'agent';
  /** The login. */
  id: string;
  permission: Permission;
  /** The groups whose chats this agent may see; every agent belongs to group 0. */
  groupIds: number[];
  /** The OAuth scopes that the agent granted to an app; absent when the agent acts in person. */
  scopes?: readonly string[];
  /** The browser session; absent when the agent authenticated with a key or token. */
  session?: string;
}

/** A caller on the web without credentials. */
export interface VisitorActor {
  kind: 'visitor';
}

export interface OperatorActor {
  kind: 'operator';
}

export interface PartnerActor {
  kind: 'partner';
  id: number;
}

/** The server itself: timers, demo data, reactions. */
export interface SystemActor {
  kind: 'system';
}

export type Actor = CustomerActor | AgentActor | VisitorActor | OperatorActor | PartnerActor | SystemActor;

const forbidden = (): DomainError => new DomainError('forbidden', 'You do not have permission to do this');

export const requireCustomer = (actor: Actor): CustomerActor => {
  if (actor.kind !== 'customer') throw forbidden();
  return actor;
};

export const requireAgent = (actor: Actor): AgentActor => {
  if (actor.kind !== 'agent') throw forbidden();
  return actor;
};

/** Requires an agent of the account or the system itself. */
export const requireMember = (actor: Actor): void => {
  if (actor.kind !== 'system') requireAgent(actor);
};

/** The author of a chat event. */
export interface ChatAuthor {
  kind: 'customer' | 'agent';
  id: string;
}

export const requireChatAuthor = (actor: Actor): ChatAuthor => {
  if (actor.kind !== 'customer' && actor.kind !== 'agent') throw forbidden();
  return { kind: actor.kind, id: actor.id };
};

/** Requires a permission to change settings of the whole account. */
export const requireAdministrator = (actor: Actor): void => {
  if (actor.kind !== 'system' && requireAgent(actor).permission === 'normal') throw forbidden();
};

export const requireOperator = (actor: Actor): void => {
  if (actor.kind !== 'operator' && actor.kind !== 'system') throw forbidden();
};

export const requirePartner = (actor: Actor): PartnerActor => {
  if (actor.kind !== 'partner') throw forbidden();
  return actor;
};

/** `undefined` means every chat of the organization. */
export const visibleGroups = (agent: AgentActor): number[] | undefined =>
  agent.permission === 'normal' ? agent.groupIds : undefined;
