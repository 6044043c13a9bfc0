import type { Permission } from '#server/storage/tables/agents.ts';
import { DomainError } from './errors.ts';

/** What a customer's browser says about itself. */
export interface Browser {
  userAgent?: string | undefined;
  referrer?: string | undefined;
  /** Where it calls from. */
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
  /** The groups whose chats this agent may see; everybody is in group 0. */
  groupIds: number[];
  /** It came with an API key of the operations API, which opens all data of the account whatever groups its agent is in. */
  seesAll?: true;
  /** What a program may do that the agent let in; absent: the agent is here in person. */
  scopes?: readonly string[];
  /** The session of the browser it is here with; absent: it came with a key or a token. */
  session?: string;
}

/** Somebody on the web without a credential. */
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

/** The program itself: timers, demo data, reactions. */
export interface SystemActor {
  kind: 'system';
}

export type Actor = CustomerActor | AgentActor | VisitorActor | OperatorActor | PartnerActor | SystemActor;

const refuse = (): DomainError => new DomainError('forbidden', 'You may not do this');

export const requireCustomer = (actor: Actor): CustomerActor => {
  if (actor.kind !== 'customer') throw refuse();
  return actor;
};

export const requireAgent = (actor: Actor): AgentActor => {
  if (actor.kind !== 'agent') throw refuse();
  return actor;
};

/** Any agent of the account, or the program itself. */
export const requireMember = (actor: Actor): void => {
  if (actor.kind !== 'system') requireAgent(actor);
};

/** Somebody who writes in chats, by its name alone. */
export interface ChatAuthor {
  kind: 'customer' | 'agent';
  id: string;
}

export const requireChatAuthor = (actor: Actor): ChatAuthor => {
  if (actor.kind !== 'customer' && actor.kind !== 'agent') throw refuse();
  return { kind: actor.kind, id: actor.id };
};

/** Who may change what concerns the whole account. */
export const requireAdministrator = (actor: Actor): void => {
  if (actor.kind !== 'system' && requireAgent(actor).permission === 'normal') throw refuse();
};

export const requireOperator = (actor: Actor): void => {
  if (actor.kind !== 'operator' && actor.kind !== 'system') throw refuse();
};

export const requirePartner = (actor: Actor): PartnerActor => {
  if (actor.kind !== 'partner') throw refuse();
  return actor;
};

/** `undefined`: every chat of the organization. */
export const visibleGroups = (agent: AgentActor): number[] | undefined =>
  agent.permission === 'normal' && !agent.seesAll ? agent.groupIds : undefined;
