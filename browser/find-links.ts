export interface TextPart {
  text: string;
  href?: string;
}

const LINK =
  /\bhttps?:\/\/[^\s<>"'`]+|\bwww\.[^\s<>"'`.]+\.[^\s<>"'`]+|\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/gi;
/** Punctuation that ends a sentence rather than a URL. */
const TRAILING_PUNCTUATION = /[.,;:!?)\]}]+$/;

/** Whether a link or an image may point there: anything else, such as `javascript:`, could run in the page. */
export const isWebUrl = (value: unknown): value is string => {
  try {
    return typeof value === 'string' && /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
};

const hrefOf = (link: string): string | undefined => {
  if (/^https?:/i.test(link)) return isWebUrl(link) ? link : undefined;
  if (!/^www\./i.test(link)) return `mailto:${link}`;
  const href = `https://${link}`;
  return isWebUrl(href) ? href : undefined;
};

/** Splits a text into plain parts and links to web pages and mailboxes. The parts joined are the text. */
export const findLinks = (text: string): TextPart[] => {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(LINK)) {
    const link = match[0].replace(TRAILING_PUNCTUATION, '');
    const href = hrefOf(link);
    if (!href) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: link, href });
    end = match.index + link.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
};
