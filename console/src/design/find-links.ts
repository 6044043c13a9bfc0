import { safeLink } from './safe-url.ts';

export type TextPart = { text: string; href?: string };

const CANDIDATE = /\bhttps?:\/\/[^\s<>"'`]+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/gi;
/** Belongs to the sentence, not to the address. */
const TRAILING = /[.,;:!?)\]}'"]+$/;

const hrefOf = (word: string): string | undefined => safeLink(/^https?:/i.test(word) ? word : `mailto:${word}`);

/** Splits a text into what is written and what is a link. Joined again it is the same text. */
export const findLinks = (text: string): TextPart[] => {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const word = match[0].replace(TRAILING, '');
    const href = hrefOf(word);
    if (!href) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: word, href });
    from = match.index + word.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
};
