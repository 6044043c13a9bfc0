import type { Executor } from '#server/storage/executor.ts';
import type { DomainEvent } from './events.ts';

/** The consequences of domain events. Durable ones are written in the same transaction; the others run after the commit. */
export interface Reactions {
  /** Whether something other than webhooks must be written with it. */
  isDurable(type: DomainEvent['type']): boolean;
  beforeCommit(events: DomainEvent[], tx: Executor): Promise<void>;
  afterCommit(event: DomainEvent): void;
}
