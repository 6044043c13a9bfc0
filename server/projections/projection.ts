import type { ProjectionName } from '#server/domain/projection-queue.ts';
import type { Executor } from '#server/storage/executor.ts';

/** Tables that contain only data that can be recomputed from other tables. */
export interface Projection {
  readonly name: ProjectionName;
  /** The kind of owner in the queue entries. Every derived row belongs to one owner. */
  readonly owner: 'organization' | 'partner';
  /** The tables that only this projection writes. */
  readonly tables: readonly string[];
  /** How many queue entries are applied in one transaction. */
  readonly batchSize: number;
  /** Recomputes the derived rows of these keys from the source tables. The result depends only on the sources. */
  apply(tx: Executor, ownerId: string, keys: string[]): Promise<void>;
  /** Replaces all derived rows of the owner. */
  rebuild(tx: Executor, ownerId: string): Promise<void>;
  /** The keys whose derived rows differ from what a rebuild writes. The caller rolls the transaction back. */
  check(tx: Executor, ownerId: string): Promise<string[]>;
}
