const LINKS = new Set(['http:', 'https:', 'mailto:']);

const parse = (text: string): URL | undefined => URL.parse(text, globalThis.location?.origin) ?? undefined;

/** An address that may stand in a link, or nothing: what people send must not run here. */
export const safeLink = (text: string | undefined): string | undefined => {
  const url = text === undefined ? undefined : parse(text);
  return url && LINKS.has(url.protocol) ? url.href : undefined;
};

/** A picture that lies on this server: what a customer names elsewhere would be told who looks, and when. */
export const ownImage = (text: string | undefined): string | undefined => {
  const url = text ? parse(text) : undefined;
  return url && url.origin === globalThis.location?.origin ? url.href : undefined;
};

/** An address that may be shown as a picture. */
export const safeImage = (text: string | undefined): string | undefined => {
  const url = text ? parse(text) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
};
