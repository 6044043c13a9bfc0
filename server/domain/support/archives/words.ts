import { foldText } from '../matching/texts.ts';

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no space between words: there each character counts as one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/gu;
/** PostgreSQL takes no longer ones, nor endless texts. */
const MAX_CHARACTERS = 100;
const MAX_WORDS = 5_000;
/** Fewer letters begin too many words. */
const MIN_BEGINNING = 3;

/** The words of a text, each once: case, width and composition of characters do not count. */
export const wordsOf = (text: string): string[] => {
  const words = new Set<string>();
  for (const [word] of foldText(text).replace(UNSPACED, ' $& ').matchAll(WORD)) {
    if (words.size >= MAX_WORDS) break;
    words.add(Array.from(word).slice(0, MAX_CHARACTERS).join(''));
  }
  return [...words];
};

/** What agents wrote for each other is kept apart: no word begins with this. */
const NOTE = '-';

/** Words begin with their organization, so that no search reads another's. */
const owned = (organizationId: string, word: string): string => `${organizationId.slice(0, 8)}${word}`;

export const ownWords = (organizationId: string, text: string): string[] =>
  wordsOf(text).map((word) => owned(organizationId, word));

export const noteWords = (organizationId: string, text: string): string[] =>
  wordsOf(text).map((word) => owned(organizationId, `${NOTE}${word}`));

export interface WordQuery {
  /** All of these must occur. */
  words: string[];
  /** So must a word that begins like this. */
  beginning?: string;
}

/** What is asked for: all of its words, of which the last may be the beginning of one, as people type. */
export const readQuery = (text: string): WordQuery => {
  const words = wordsOf(text);
  const last = words.at(-1);
  const isOpen = last !== undefined && last.length >= MIN_BEGINNING && foldText(text).endsWith(last);
  return isOpen ? { words: words.slice(0, -1), beginning: last } : { words };
};

export const matchesQuery = ({ words, beginning }: WordQuery, text: string): boolean => {
  const found = new Set(wordsOf(text));
  return (
    words.length + (beginning ? 1 : 0) > 0 &&
    words.every((word) => found.has(word)) &&
    (beginning === undefined || [...found].some((word) => word.startsWith(beginning)))
  );
};

/** As PostgreSQL reads it. Words are letters and digits, so that nothing in them can mean more than itself. */
const toTerm = (organizationId: string, word: string, end = ''): string => `'${owned(organizationId, word)}'${end}`;

/** Whole words, and the beginning of one; either may be missing. */
export const toTerms = (organizationId: string, { words, beginning }: WordQuery): string[] => [
  ...(words.length > 0 ? [words.map((word) => toTerm(organizationId, word)).join(' & ')] : []),
  ...(beginning === undefined ? [] : [toTerm(organizationId, beginning, ':*')]),
];

/** Without any word nothing is found. */
export const toTsquery = (organizationId: string, query: WordQuery): string | undefined =>
  toTerms(organizationId, query).join(' & ') || undefined;

/** The same, each word in what was said or in a note. */
export const toTsqueryWithNotes = (organizationId: string, { words, beginning }: WordQuery): string | undefined => {
  const either = (word: string, end?: string): string =>
    `(${toTerm(organizationId, word, end)} | ${toTerm(organizationId, `${NOTE}${word}`, end)})`;
  const terms = [...words.map((word) => either(word)), ...(beginning === undefined ? [] : [either(beginning, ':*')])];
  return terms.join(' & ') || undefined;
};
