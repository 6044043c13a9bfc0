import type { Permission } from '#server/storage/tables/agents.ts';
import { DomainError } from './errors.ts';

export interface CustomerActor {
  kind: 'customer';
  id: string;
}

export interface AgentActor {
  kind: 'agent';
  /** The login. */
  id: string;
  permission: Permission;
  /** The groups whose chats this agent may see; everybody is in group 0. */
  groupIds: number[];
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

export type Actor = CustomerActor | AgentActor | OperatorActor | PartnerActor | SystemActor;

const refuse = (): DomainError => new DomainError('forbidden', 'You may not do this');

export const requireCustomer = (actor: Actor): CustomerActor => {
  if (actor.kind !== 'customer') throw refuse();
  return actor;
};

export const requireAgent = (actor: Actor): AgentActor => {
  if (actor.kind !== 'agent') throw refuse();
  return actor;
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
  agent.permission === 'normal' ? agent.groupIds : undefined;
