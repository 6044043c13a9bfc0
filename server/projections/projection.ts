import type { ProjectionName } from '#server/domain/projection-queue.ts';
import type { Executor } from '#server/storage/executor.ts';

/** Tables that hold nothing but what can be recomputed from other tables. */
export interface Projection {
  readonly name: ProjectionName;
  /** Whose ids the queue entries carry: every derived row belongs to one owner. */
  readonly owner: 'organization' | 'partner';
  /** The tables that this projection alone writes. */
  readonly tables: readonly string[];
  /** How many queue entries are applied in one transaction. */
  readonly batchSize: number;
  /** Recomputes the derived rows of these keys from the source tables. The result depends on the sources alone. */
  apply(tx: Executor, ownerId: string, keys: string[]): Promise<void>;
  /** Replaces all derived rows of the owner. */
  rebuild(tx: Executor, ownerId: string): Promise<void>;
  /** The keys whose derived rows differ from what a rebuild writes. The caller rolls the transaction back. */
  check(tx: Executor, ownerId: string): Promise<string[]>;
}
