import { afterAll } from 'vitest';
import { openKit } from '../partner/index.ts';

/** The server for all rows of the earlier shape. */
export const kit = await openKit();
afterAll(kit.close);
