import type { ReactNode } from 'react';
import { safeLink } from './safe-url.ts';

/** A link to a URL from users; unsafe ones are shown as text. */
export const SafeLink = ({ url, children = url }: { url: string; children?: ReactNode }) => {
  const href = safeLink(url);
  return href ? (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    children
  );
};
