/** A text in pieces: what is an address of a page or a mailbox, and what is not. */
export interface Piece {
  text: string;
  href?: string;
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/gi;
/** Signs that end a sentence rather than an address. */
const TAIL = /[.,;:!?)\]}]+$/;

export const isWebAddress = (address: unknown): address is string =>
  typeof address === 'string' && /^https?:$/.test(URL.parse?.(address)?.protocol ?? protocolOf(address));

/** Older browsers have no `URL.parse`. */
const protocolOf = (address: string): string => {
  try {
    return new URL(address).protocol;
  } catch {
    return '';
  }
};

export const findLinks = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const found = match[0].replace(TAIL, '');
    const href = found.includes('://') ? found : `mailto:${found}`;
    if (href === found && !isWebAddress(href)) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: found, href });
    end = match.index + found.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
};
