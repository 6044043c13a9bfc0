import type { Push } from '#contracts/chat/frames.ts';
import type { AgentActor } from '#server/domain/access.ts';
import type { Scope } from '#server/domain/accounts/oauth/scopes.ts';
import type { DomainEvent, Requester } from '#server/domain/events.ts';
import type { MonitoringLevel } from '#server/domain/support/customers/monitoring.ts';
import type { ChatPresenter } from './present-chat.ts';

/**
 * Who receives a push:
 * `agents`: those who can see the event's `groupIds`, or all agents when it has none.
 * `customer`: the one the event names as `customerId`.
 * `customers`: all customers of the organization.
 */
export type Audience = 'agents' | 'customer' | 'customers';

export interface PushRule<E extends DomainEvent> {
  to: readonly Audience[] | ((event: E) => readonly Audience[]);
  /** The scope that an OAuth token needs to receive it; absent: the scopes that every socket needs. */
  needs?: Scope;
  /** Of the agents who can see it, those who receive it; absent: all. */
  isFor?(event: E, agent: AgentActor, level: MonitoringLevel): boolean;
  /** The frame, in the reader's wire shape. */
  write(event: E, present: ChatPresenter): Push;
}

export type PushRules = { [T in DomainEvent['type']]?: PushRule<Extract<DomainEvent, { type: T }>> };

export const EVERYONE_IN_CHAT = ['agents', 'customer'] as const;

/** A requester whom the reader cannot see is omitted. */
export const requestedBy = (requester: Requester | undefined, present: ChatPresenter) =>
  requester && present.shows(requester) ? { requester_id: present.userId(requester.kind, requester.id) } : {};

export const inChat = ({ chatId, threadId }: { chatId: string; threadId: string }) => ({
  chat_id: chatId,
  thread_id: threadId,
});
