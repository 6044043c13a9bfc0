import { vi } from 'vitest';
import type { TestApp } from './start-app.ts';

/** Waits until a statement waits for a lock. */
export const waitForLockWaiter = ({ context: { database } }: TestApp): Promise<boolean> =>
  vi.waitUntil(async () => {
    const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await database.query({ text, values: [] })).rows.length > 0;
  }, 60_000);
