import type { Browser } from '../../access.ts';

const MAX_CHARACTERS = 2048;

const cut = (text: string | undefined): string | undefined => text?.slice(0, MAX_CHARACTERS) || undefined;

/** What a browser said about itself, as columns; what it kept to itself stays as it was. */
export const browserColumns = (browser: Browser | undefined): { userAgent?: string; referrer?: string } => {
  const userAgent = cut(browser?.userAgent);
  const referrer = cut(browser?.referrer);
  return { ...(userAgent ? { userAgent } : {}), ...(referrer ? { referrer } : {}) };
};
