import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { enqueueProjection } from '#server/domain/projection-queue.ts';
import type { Executor } from '#server/storage/executor.ts';
import { useTestApp } from '#server/testing/app/start-app.ts';
import { buildOrganization, type TestOrganization } from '#server/testing/builders/factories.ts';
import { projections } from './index.ts';
import { checkProjection, rebuildProjection } from './maintain.ts';
import type { Projection } from './projection.ts';
import { createProjectionWorker } from './worker.ts';

const test = useTestApp();
let shop: TestOrganization;
beforeEach(async () => {
  shop = await buildOrganization(test);
});

/** Records the applied keys. `meanwhile` runs inside the transaction, before it commits. */
const recording = (options: { batchSize?: number; meanwhile?: (keys: string[]) => Promise<void> } = {}) => {
  const applied: { ownerId: string; keys: string[] }[] = [];
  const projection: Projection & { name: 'ticket_search' } = {
    name: 'ticket_search',
    owner: 'organization',
    tables: [],
    batchSize: options.batchSize ?? 10,
    apply: async (_: Executor, ownerId, keys) => {
      await options.meanwhile?.(keys);
      applied.push({ ownerId, keys });
    },
    rebuild: async () => {},
    check: async () => [],
  };
  const worker = createProjectionWorker({
    database: test.context.database,
    projections: { ...projections, ticket_search: projection },
    log: pino({ level: 'silent' }),
  });
  const keysOf = (ownerId: string) => applied.filter((one) => one.ownerId === ownerId).flatMap(({ keys }) => keys);
  return { projection, worker, applied, keysOf };
};

const enqueue = (...keys: string[]) => shop.scope.transaction((tx) => enqueueProjection(tx, 'ticket_search', keys));
const queued = async (ownerId = shop.id): Promise<string[]> => {
  const text = 'select q.key from projection_queue q where q.owner_id = $1 order by q.id';
  return (await test.context.database.query<{ key: string }>({ text, values: [ownerId] })).rows.map(({ key }) => key);
};

describe('a projection worker', () => {
  it('applies keys in queue order, each key once per batch', async () => {
    const { worker, applied } = recording({ batchSize: 3 });
    for (const key of ['b', 'a', 'b', 'c', 'a']) await enqueue(key);
    await worker.applyPending(shop.id, 'ticket_search');
    expect(applied).toEqual([
      { ownerId: shop.id, keys: ['b', 'a'] },
      { ownerId: shop.id, keys: ['c', 'a'] },
    ]);
    expect(await queued()).toEqual([]);
  });

  it('applies nothing for a transaction that was rolled back', async () => {
    const failing = shop.scope.transaction(async (tx) => {
      await enqueueProjection(tx, 'ticket_search', ['a']);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await queued()).toEqual([]);
  });

  it('leaves failed entries in the queue and retries them', async () => {
    let fails = true;
    const { worker, keysOf } = recording({
      meanwhile: async () => {
        if (fails) throw new Error('crashed between apply and commit');
      },
    });
    await enqueue('a');
    await expect(worker.applyPending(shop.id, 'ticket_search')).rejects.toThrow('crashed');
    expect(await queued()).toEqual(['a']);
    fails = false;
    await worker.applyPending(shop.id, 'ticket_search');
    expect(keysOf(shop.id)).toEqual(['a']);
  });

  it('applies a key again if it is enqueued while being applied', async () => {
    let isFirst = true;
    const { worker, keysOf } = recording({
      meanwhile: async () => {
        if (isFirst) await enqueue('a');
        isFirst = false;
      },
    });
    await enqueue('a');
    await worker.drain();
    expect(keysOf(shop.id)).toEqual(['a', 'a']);
    expect(await queued()).toEqual([]);
  });

  it('waits for a batch that another worker is applying, and applies nothing twice', async () => {
    const started = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const first = recording({
      meanwhile: () => {
        started.resolve();
        return release.promise;
      },
    });
    const second = recording();
    await enqueue('a');
    const applying = first.worker.applyPending(shop.id, 'ticket_search');
    await started.promise;
    let isRead = false;
    const reading = second.worker.applyPending(shop.id, 'ticket_search').then(() => {
      isRead = true;
    });
    // A drain does not wait for the locked projection.
    await second.worker.drain();
    expect(isRead).toBe(false);
    release.resolve();
    await Promise.all([applying, reading]);
    expect([first.keysOf(shop.id), second.keysOf(shop.id)]).toEqual([['a'], []]);
  });

  it('drains the other owners if one of them fails', async () => {
    const other = await buildOrganization(test);
    const { worker, keysOf } = recording({
      meanwhile: async (keys) => {
        if (keys.includes('broken')) throw new Error('broken');
      },
    });
    await enqueue('broken');
    await other.scope.transaction((tx) => enqueueProjection(tx, 'ticket_search', ['fine']));
    await worker.drain();
    expect([keysOf(shop.id), keysOf(other.id)]).toEqual([[], ['fine']]);
    expect(await queued()).toEqual(['broken']);
    await test.context.database.query({
      text: 'delete from projection_queue q where q.owner_id = $1',
      values: [shop.id],
    });
  });
});

describe('a rebuild', () => {
  it('removes queued keys and keeps those that are enqueued in the meantime', async () => {
    const { projection } = recording();
    await enqueue('before');
    const rebuilding = { ...projection, rebuild: () => enqueue('meanwhile') };
    await rebuildProjection(test.context.database, rebuilding, shop.id);
    expect(await queued()).toEqual(['meanwhile']);
  });
});

describe('a check', () => {
  it('applies queued keys first and rolls back its changes', async () => {
    const { projection, keysOf } = recording();
    await enqueue('a');
    const checking = { ...projection, check: async () => ['a'] };
    expect(await checkProjection(test.context.database, checking, shop.id)).toEqual(['a']);
    expect(keysOf(shop.id)).toEqual(['a']);
    expect(await queued()).toEqual(['a']);
  });
});
