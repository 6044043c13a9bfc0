import { ownerColumns } from './tables/owners.ts';

/** A query used a tenant table without naming the owner of the rows. Always a bug of ours, never the caller's fault. */
export class UnownedQueryError extends Error {
  constructor(table: string, text: string) {
    super(`A query on ${table} is not matched on its owner (${ownerColumns[table]}): ${text.slice(0, 200)}`);
    this.name = 'UnownedQueryError';
  }
}

/** Marks the few queries that run before an owner is known. Only the `platform` files use it. */
export const PLATFORM_MARK = '/* platform */';

const ALIAS =
  '(?:\\s+(?:as\\s+)?"?(?!(?:where|set|on|using|values|order|group|left|inner|cross|join|returning|limit|for|default|select|union)\\b)(\\w+)"?)?';
const TABLE = `(?:"?\\w+"?\\.)?"?(\\w+)"?${ALIAS}`;
const REFERENCE = new RegExp(`\\b(from|join|update|into|using|truncate)\\s+(?:table\\s+)?(?:only\\s+)?${TABLE}`, 'gi');
const NEXT_IN_LIST = new RegExp(`\\s*,\\s*${TABLE}`, 'iy');

interface Reference {
  verb: string;
  table: string;
  alias: string;
  aliased: boolean;
  at: number;
}

const references = (text: string): Reference[] => {
  const found: Reference[] = [];
  const add = (verb: string, table: string, alias: string | undefined, at: number): void => {
    const name = table.toLowerCase();
    if (Object.hasOwn(ownerColumns, name))
      found.push({ verb, table: name, alias: alias ?? table, aliased: alias !== undefined, at });
  };
  for (const match of text.matchAll(REFERENCE)) {
    const verb = match[1]!.toLowerCase();
    add(verb, match[2]!, match[3], match.index);
    NEXT_IN_LIST.lastIndex = match.index + match[0].length;
    for (let next = NEXT_IN_LIST.exec(text); next; next = NEXT_IN_LIST.exec(text))
      add(verb, next[1]!, next[2], next.index);
  }
  return found;
};

/** An update compares after its `where`; the part before it assigns. */
const comparedIn = (text: string, { verb, at }: Reference): string => {
  if (verb !== 'update') return text;
  const rest = text.slice(at);
  const where = rest.search(/\bwhere\b/i);
  return where === -1 ? '' : rest.slice(where);
};

const isMatched = (text: string, reference: Reference, alone: boolean): boolean => {
  const { verb, table, alias, aliased } = reference;
  const column = ownerColumns[table]!;
  if (verb === 'truncate') return false;
  if (verb === 'into') return new RegExp(`into\\s+"?${table}"?[^(]*\\([^)]*\\b${column}\\b`, 'i').test(text);
  const name = `"?${alias}"?\\."?${column}"?`;
  const compared = `(?:${name}\\s*(?:=|in\\b)|=\\s*${name}|\\(\\s*${name}\\s*,[^()]*\\)\\s*(?:=|in\\b)|=\\s*\\(\\s*${name}\\s*,)`;
  const where = comparedIn(text, reference);
  if (new RegExp(compared, 'i').test(where)) return true;
  // Without an alias and without another owned table, the unqualified column is unambiguous.
  return alone && !aliased && new RegExp(`(?<![\\w.])"?${column}"?\\s*(?:=|in\\b)`, 'i').test(where);
};

const accepted = new Set<string>();
const MAX_CACHED = 5000;

/** Throws unless each owned table in the query is filtered by its owner column. Checked once per text. */
export const assertOwned = (text: string): void => {
  if (accepted.has(text) || text.startsWith(PLATFORM_MARK)) return;
  const found = references(text);
  for (const reference of found) {
    if (!isMatched(text, reference, found.length === 1)) throw new UnownedQueryError(reference.table, text);
  }
  if (accepted.size < MAX_CACHED) accepted.add(text);
};
