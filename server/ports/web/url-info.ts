import { decodeHtml } from './decode-html.ts';
import { parseHead } from './parse-head.ts';
import { type SmallImage, shrinkImage } from './shrink-image.ts';
import { RefusedAddressError, type Web, type WebAnswer, WebFailureError, type WebHead } from './web.ts';

const MAX_PAGE_BYTES = 512 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 5_000;
const MAX_REDIRECTS = 5;
const MAX_TITLE = 300;
const MAX_DESCRIPTION = 1_000;

export interface UrlInfo {
  /** The final URL after redirects. */
  url: string;
  title?: string;
  description?: string;
  image?: UrlImage;
}

export interface UrlImage extends SmallImage {
  originalUrl: string;
}

/**
 * The data of a link preview. Undefined if the URL is not allowed, does not respond, or is neither a page nor an image;
 * the reason is not revealed, because it would disclose details of the internal network.
 */
export const readUrlInfo = async (web: Web, url: string): Promise<UrlInfo | undefined> => {
  const answer = await fetchAs(web, url, 'text/html,application/xhtml+xml,image/*;q=0.5', MAX_PAGE_BYTES, isPage);
  if (!answer) return undefined;
  if (isImage(answer)) {
    const image = await readImage(web, answer.url);
    return image && { url: answer.url, image };
  }
  return isPage(answer) ? resolvePage(web, answer) : undefined;
};

const resolvePage = async (web: Web, { url, headers, body }: WebAnswer): Promise<UrlInfo> => {
  const { title, meta } = parseHead(decodeHtml(body, headers['content-type']));
  const first = (...names: string[]): string | undefined => names.map((name) => meta.get(name)).find(Boolean);
  const imageUrl = first('og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image');
  return {
    url,
    title: cleanText(first('og:title') ?? title, MAX_TITLE),
    description: cleanText(first('og:description', 'description'), MAX_DESCRIPTION),
    image: imageUrl ? await readImage(web, imageUrl, url) : undefined,
  };
};

const readImage = async (web: Web, address: string, base?: string): Promise<UrlImage | undefined> => {
  const url = URL.parse(address.trim(), base)?.href;
  const answer = url && (await fetchAs(web, url, 'image/*', MAX_IMAGE_BYTES, isImage));
  if (!answer || !isImage(answer) || answer.truncated) return undefined;
  const image = await shrinkImage(answer.body);
  return image && { originalUrl: url, ...image };
};

const fetchAs = async (
  web: Web,
  url: string,
  accept: string,
  maxBytes: number,
  wanted: (head: WebHead) => boolean,
): Promise<WebAnswer | undefined> => {
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes, maxRedirects: MAX_REDIRECTS };
  try {
    return await web.request({ url, method: 'GET', headers: { accept }, ...limits, accept: wanted });
  } catch (error) {
    if (error instanceof RefusedAddressError || error instanceof WebFailureError) return undefined;
    throw error;
  }
};

const isOf = ({ status, headers }: WebHead, type: RegExp): boolean =>
  status === 200 &&
  // Compression was not requested and may hide any size.
  (headers['content-encoding'] ?? 'identity') === 'identity' &&
  type.test(headers['content-type'] ?? '');

const isPage = (head: WebHead): boolean => isOf(head, /^\s*(text\/html|application\/xhtml\+xml)\b/i);
const isImage = (head: WebHead): boolean => isOf(head, /^\s*image\/(?!svg)/i);

/** One line without characters that cannot be stored or that change the text direction. */
const cleanText = (text: string | undefined, limit: number): string | undefined =>
  text
    ?.toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .slice(0, limit)
    .replace(/[\ud800-\udbff]$/, '') || undefined;
