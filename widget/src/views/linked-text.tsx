/** @jsxImportSource preact */
import { findLinks } from '#browser/find-links.ts';

/** User text. Links become clickable, everything else is plain text. */
export const LinkedText = ({ text }: { text: string }) => (
  <span class="text" dir="auto">
    {findLinks(text).map(({ text: piece, href }, at) =>
      href ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id and never move.
        <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
          {piece}
        </a>
      ) : (
        piece
      ),
    )}
  </span>
);

/** Rich messages are not validated, so any value may be missing or of another type. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
