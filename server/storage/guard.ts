import { ownerColumns } from './tables/index.ts';

/** A query reached a table of many owners without saying whose rows it means. Always our mistake, never a caller's. */
export class UnownedQueryError extends Error {
  constructor(table: string, text: string) {
    super(`A query on ${table} is not matched on its owner (${ownerColumns[table]}): ${text.slice(0, 200)}`);
    this.name = 'UnownedQueryError';
  }
}

/** Marks the few questions asked before an owner is known. Only `platform.ts` writes it. */
export const PLATFORM_MARK = '/* platform */';

const REFERENCE =
  /\b(from|join|update|into)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(?!(?:where|set|on|using|values|order|group|left|inner|cross|join|returning|limit|for|default|select|union)\b)(\w+)"?)?/gi;

interface Reference {
  verb: string;
  table: string;
  alias: string;
  aliased: boolean;
}

const references = (text: string): Reference[] =>
  [...text.matchAll(REFERENCE)]
    .map(([, verb, table, alias]) => ({
      verb: verb!.toLowerCase(),
      table: table!,
      alias: alias ?? table!,
      aliased: alias !== undefined,
    }))
    .filter(({ table }) => Object.hasOwn(ownerColumns, table));

const isMatched = (text: string, { verb, table, alias, aliased }: Reference, alone: boolean): boolean => {
  const column = ownerColumns[table]!;
  if (verb === 'into') return new RegExp(`into\\s+"?${table}"?[^(]*\\([^)]*\\b${column}\\b`, 'i').test(text);
  const name = `"?${alias}"?\\."?${column}"?`;
  const compared = `(?:${name}\\s*(?:=|in\\b)|=\\s*${name}|\\(\\s*${name}\\s*,[^()]*\\)\\s*(?:=|in\\b)|=\\s*\\(\\s*${name}\\s*,)`;
  if (new RegExp(compared, 'i').test(text)) return true;
  // Without an alias, and with no other owned table to mean, the bare column is clear enough.
  return alone && !aliased && new RegExp(`(?<![\\w.])"?${column}"?\\s*(?:=|in\\b)`, 'i').test(text);
};

const accepted = new Set<string>();
const MOST_REMEMBERED = 5000;

/** Throws unless each owned table in the query is compared on its owner's column. Checked once per text. */
export const assertOwned = (text: string): void => {
  if (accepted.has(text) || text.startsWith(PLATFORM_MARK)) return;
  const found = references(text);
  for (const reference of found) {
    if (!isMatched(text, reference, found.length === 1)) throw new UnownedQueryError(reference.table, text);
  }
  if (accepted.size < MOST_REMEMBERED) accepted.add(text);
};
