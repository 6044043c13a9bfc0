import type { Migration } from '../migrate.ts';
import { groundFloor } from './0001-ground-floor.ts';

/** In order, imported by hand. Once released a migration is never changed; the previous release must run on the new schema. */
export const migrations: Migration[] = [groundFloor];
