const LINKS = new Set(['http:', 'https:', 'mailto:']);

const parse = (text: string): URL | undefined => URL.parse(text, globalThis.location?.origin) ?? undefined;

/** The URL if it is safe in a link, otherwise nothing: `javascript:` URLs from users must not run. */
export const safeLink = (text: string | undefined): string | undefined => {
  const url = text === undefined ? undefined : parse(text);
  return url && LINKS.has(url.protocol) ? url.href : undefined;
};

/** The URL if the image is on this server. An external image would tell its host who looks at it, and when. */
export const ownImage = (text: string | undefined): string | undefined => {
  const url = text ? parse(text) : undefined;
  return url && url.origin === globalThis.location?.origin ? url.href : undefined;
};

/** The URL if it is safe as an image source. */
export const safeImage = (text: string | undefined): string | undefined => {
  const url = text ? parse(text) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
};
