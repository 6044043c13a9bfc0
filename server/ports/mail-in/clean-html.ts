import sanitize from 'sanitize-html';

/** Longer HTML is truncated first. */
const MAX_CHARACTERS = 400_000;
const MAX_DEPTH = 100;

const TEXT_TAGS = [
  ...['p', 'div', 'br', 'hr', 'span', 'b', 'strong', 'i', 'em', 'u', 's', 'small', 'sub', 'sup', 'code', 'pre'],
  ...['blockquote', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'caption', 'a'],
];

/**
 * Keeps only text and structure: no scripts, styles or images (which would tell the sender that the email was read),
 * and only http, https and mailto links.
 */
export const cleanHtml = (html: string): string =>
  sanitize(html.slice(0, MAX_CHARACTERS), {
    allowedTags: TEXT_TAGS,
    allowedAttributes: { a: ['href', 'rel', 'target'], td: ['colspan', 'rowspan'], th: ['colspan', 'rowspan'] },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesAppliedToAttributes: ['href'],
    allowProtocolRelative: false,
    nestingLimit: MAX_DEPTH,
    parseStyleAttributes: false,
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'noscript',
      'title',
      'head',
      'template',
      'xmp',
      'svg',
      'math',
    ],
    transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener noreferrer nofollow', target: '_blank' }) },
  }).trim();

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const LINE_ENDS = /<(?:br|hr)\b[^>]*>|<\/(?:p|div|li|tr|h[1-6]|blockquote|table|ul|ol|pre|dt|dd|caption)>/g;

/** The text of sanitized HTML, which contains only four entities. */
export const textOfHtml = (clean: string): string =>
  clean
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(LINE_ENDS, '\n')
    .replace(/<\/t[dh]>/g, '\t')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity]!)
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
