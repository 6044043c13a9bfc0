/** @jsxImportSource preact */
import { findLinks } from '#browser/find-links.ts';

/** What somebody wrote: text, in which only addresses lead anywhere. */
export const Words = ({ text }: { text: string }) => (
  <span class="words" dir="auto">
    {findLinks(text).map(({ text: piece, href }, at) =>
      href ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have nothing but their place.
        <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
          {piece}
        </a>
      ) : (
        piece
      ),
    )}
  </span>
);

/** A value that may be anything, as text or not at all. */
export const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');
