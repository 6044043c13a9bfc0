import type { Sale } from '#server/storage/tables/goals.ts';
import type { Browser } from '../../access.ts';
import type { ShownGreeting } from '../greetings/records.ts';

/** A page that tells of itself: who looks at it, and what happened there. */
export interface Beacon {
  customerId: string;
  /** Proves that it is the same browser as before. */
  secret: string;
  page: { url: string; title?: string | undefined };
  /** The page was opened just now. */
  opened: boolean;
  /** The visitor closes it. */
  left: boolean;
  referrer?: string | undefined;
  language?: string | undefined;
  timezone?: string | undefined;
  groupId?: number | undefined;
  browser: Browser;
  variables?: Record<string, string> | undefined;
  goals?: { goalId: number; sale?: Sale | undefined }[] | undefined;
  /** The page can show a greeting, and something happened that one may depend on. */
  looks: boolean;
}

export interface BeaconAnswer {
  /** `false`: the id belongs to another browser. */
  recognised: boolean;
  greeting?: ShownGreeting | undefined;
  /** When time alone may bring a greeting, if nothing else happens. */
  lookAgainAt?: Date | undefined;
}

/** How often a page says that somebody is there, and how long that is believed: one word may be lost. */
export const BEAT_SECONDS = 20;
export const TRACKED_MS = 45_000;

export interface OpenedPage {
  url: string;
  title: string | null;
  openedAt: Date;
}

/** All that the beacons of one visitor said since they were last written down. */
export interface Sighting extends Omit<Beacon, 'page' | 'opened' | 'secret' | 'variables' | 'goals'> {
  secretHash: Buffer;
  seenAt: Date;
  page: OpenedPage;
  /** Those that were opened. */
  pages: OpenedPage[];
  variables: Record<string, string>;
  goals: NonNullable<Beacon['goals']>;
}

const MAX_PAGES = 50;
const MAX_GOALS = 50;

export const toSighting = (beacon: Beacon, secretHash: Buffer, seenAt: Date): Sighting => {
  const { secret: _, opened, page: at, variables = {}, goals = [], ...rest } = beacon;
  const page = { url: at.url, title: at.title ?? null, openedAt: seenAt };
  return { ...rest, secretHash, seenAt, page, pages: opened ? [page] : [], variables, goals };
};

/** What was told first counts for where somebody came from, what was told last for all else. */
export const mergeSightings = (earlier: Sighting, later: Sighting): Sighting => ({
  ...later,
  referrer: earlier.referrer ?? later.referrer,
  language: later.language ?? earlier.language,
  timezone: later.timezone ?? earlier.timezone,
  groupId: later.groupId ?? earlier.groupId,
  pages: [...earlier.pages, ...later.pages].slice(-MAX_PAGES),
  variables: { ...earlier.variables, ...later.variables },
  goals: [...earlier.goals, ...later.goals].slice(-MAX_GOALS),
  looks: earlier.looks || later.looks,
});

export const isMereBeat = ({ pages, variables, goals }: Sighting): boolean =>
  pages.length === 0 && goals.length === 0 && Object.keys(variables).length === 0;
