import { afterAll } from 'vitest';
import { openKit } from './index.ts';

/** The server for all rows of the current shape. */
export const kit = await openKit();
afterAll(kit.close);
