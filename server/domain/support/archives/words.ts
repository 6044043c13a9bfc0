import { foldText } from '../matching/texts.ts';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. Each character counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
/** PostgreSQL limits the length of a lexeme and the size of a tsvector. */
const MAX_CHARACTERS = 100;
const MAX_WORDS = 5_000;
/** Shorter prefixes match too many words. */
const MIN_PREFIX_LENGTH = 3;

/** The distinct words of a text, ignoring case, width and Unicode composition. */
export const splitWords = (text: string): string[] => {
  const words = new Set<string>();
  for (const [word] of foldText(text).replace(UNSPACED, ' $& ').matchAll(WORD)) {
    if (words.size >= MAX_WORDS) break;
    words.add(Array.from(word).slice(0, MAX_CHARACTERS).join(''));
  }
  return [...words];
};

/** Marks words of notes. No word starts with this character. */
const NOTE_PREFIX = '-';

/** Words start with their organization's id, so that a search reads no other organization's index entries. */
const addOwner = (organizationId: string, word: string): string => `${organizationId.slice(0, 8)}${word}`;

export const ownWords = (organizationId: string, text: string): string[] =>
  splitWords(text).map((word) => addOwner(organizationId, word));

export const noteWords = (organizationId: string, text: string): string[] =>
  splitWords(text).map((word) => addOwner(organizationId, `${NOTE_PREFIX}${word}`));

export interface WordQuery {
  /** All of these must occur. */
  words: string[];
  /** A word with this prefix must occur as well. */
  prefix?: string;
}

/** All words must match. The last one is a prefix if it may still be incomplete. */
export const readQuery = (text: string): WordQuery => {
  const words = splitWords(text);
  const last = words.at(-1);
  const isPrefix = last !== undefined && last.length >= MIN_PREFIX_LENGTH && foldText(text).endsWith(last);
  return isPrefix ? { words: words.slice(0, -1), prefix: last } : { words };
};

export const matchesQuery = ({ words, prefix }: WordQuery, text: string): boolean => {
  const found = new Set(splitWords(text));
  return (
    words.length + (prefix ? 1 : 0) > 0 &&
    words.every((word) => found.has(word)) &&
    (prefix === undefined || [...found].some((word) => word.startsWith(prefix)))
  );
};

/** A term in tsquery syntax. Words are letters and digits, so nothing in them needs escaping. */
const toTerm = (organizationId: string, word: string, end = ''): string => `'${addOwner(organizationId, word)}'${end}`;

/** One term for the whole words and one for the prefix, if there are any. */
export const toTerms = (organizationId: string, { words, prefix }: WordQuery): string[] => [
  ...(words.length > 0 ? [words.map((word) => toTerm(organizationId, word)).join(' & ')] : []),
  ...(prefix === undefined ? [] : [toTerm(organizationId, prefix, ':*')]),
];

/** Undefined if there are no words; such a query matches nothing. */
export const toTsquery = (organizationId: string, query: WordQuery): string | undefined =>
  toTerms(organizationId, query).join(' & ') || undefined;

/** Like {@link toTsquery}, but each word may also occur in a note. */
export const toTsqueryWithNotes = (organizationId: string, { words, prefix }: WordQuery): string | undefined => {
  const either = (word: string, end?: string): string =>
    `(${toTerm(organizationId, word, end)} | ${toTerm(organizationId, `${NOTE_PREFIX}${word}`, end)})`;
  const terms = [...words.map((word) => either(word)), ...(prefix === undefined ? [] : [either(prefix, ':*')])];
  return terms.join(' & ') || undefined;
};
