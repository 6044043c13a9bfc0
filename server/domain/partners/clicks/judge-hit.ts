import { isbot } from 'isbot';
import type { WhyUncounted } from '#server/storage/tables/programme.ts';
import { memoize } from '../../memoize.ts';

/** What a request for a link says about itself. */
export interface Asked {
  /** Only the head of the answer was asked for. */
  head: boolean;
  /** Something fetched it that was not a person who follows a link. */
  prefetch: boolean;
  userAgent: string | undefined;
}

/** Few names for many visitors, and looking for a bot in one takes longer than all else about a click. */
const isProgram = memoize(5_000, isbot);

/** Why it counts as no click, as far as the request itself tells. Every browser says its name, so whoever says none is none. */
export const judgeHit = ({ head, prefetch, userAgent }: Asked): WhyUncounted | undefined => {
  if (head) return 'head';
  if (prefetch) return 'prefetch';
  return !userAgent || isProgram(userAgent) ? 'bot' : undefined;
};
