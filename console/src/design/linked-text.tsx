import { memo } from 'react';
import { findLinks } from '#browser/find-links.ts';

/** Text from users: keeps line breaks, links URLs, never renders markup. */
export const LinkedText = memo(({ text }: { text: string }) => (
  <span style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {findLinks(text).map(({ text: part, href }, index) =>
      href ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never change places.
        <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
          {part}
        </a>
      ) : (
        part
      ),
    )}
  </span>
));
