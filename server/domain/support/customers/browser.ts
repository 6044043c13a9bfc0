import type { Browser } from '../../access.ts';

const MAX_CHARACTERS = 2048;

const truncate = (text: string | undefined): string | undefined => text?.slice(0, MAX_CHARACTERS) || undefined;

/** The columns for what a browser reported; missing values leave the columns unchanged. */
export const browserColumns = (browser: Browser | undefined): { userAgent?: string; referrer?: string } => {
  const userAgent = truncate(browser?.userAgent);
  const referrer = truncate(browser?.referrer);
  return { ...(userAgent ? { userAgent } : {}), ...(referrer ? { referrer } : {}) };
};
