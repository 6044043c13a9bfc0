import type { Executor } from '#server/storage/executor.ts';
import type { DomainEvent } from './events.ts';

/** What happens because something happened. Durable reactions write in the same transaction; the rest follows the commit. */
export interface Reactions {
  /** Whether something other than webhooks must be written with it. */
  isDurable(type: DomainEvent['type']): boolean;
  beforeCommit(events: DomainEvent[], tx: Executor): Promise<void>;
  afterCommit(event: DomainEvent): void;
}
