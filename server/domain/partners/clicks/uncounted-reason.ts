import { isbot } from 'isbot';
import type { UncountedReason } from '#server/storage/tables/program.ts';
import { memoize } from '../../memoize.ts';

/** The parts of a request that decide whether it counts as a click. */
export interface ClickRequest {
  /** A HEAD request. */
  head: boolean;
  /** A prefetch or an embedded resource instead of a navigation. */
  prefetch: boolean;
  userAgent: string | undefined;
}

/** Cached, because bot detection costs more than all other work per click and user agents repeat. */
const isProgram = memoize(5_000, isbot);

/** The reason why the request does not count as a click, if any. Browsers always send a user agent. */
export const findUncountedReason = ({ head, prefetch, userAgent }: ClickRequest): UncountedReason | undefined => {
  if (head) return 'head';
  if (prefetch) return 'prefetch';
  return !userAgent || isProgram(userAgent) ? 'bot' : undefined;
};
