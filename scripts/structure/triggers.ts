import type { Sources } from './sources.ts';

/** Triggers only enforce invariants that must hold for every writer; ARCHITECTURE lists them. */
const INVARIANTS = ['ledger_sums_to_zero', 'ledger_is_never_changed'];

export const checkTriggers = (sources: Sources): string[] =>
  [...sources]
    .filter(([file]) => file.startsWith('server/storage/migrations/'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\bcreate\s+(?:or replace\s+)?(?:constraint\s+)?(trigger|function)\s+(\w+)/gi)]
        .filter(([, , name]) => !INVARIANTS.includes(name!))
        .map(
          ([, kind, name]) => `${file} creates the ${kind} ${name}: consequences belong to reactions or projections`,
        ),
    );
