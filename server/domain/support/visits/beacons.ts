import type { Sale } from '#server/storage/tables/goals.ts';
import type { Browser } from '../../access.ts';
import type { ShownGreeting } from '../greetings/records.ts';

/** What a tracked page reports about its visitor. */
export interface Beacon {
  customerId: string;
  /** Proves that it is the same browser as before. */
  secret: string;
  page: { url: string; title?: string | undefined };
  /** Whether the page was opened just now. */
  opened: boolean;
  /** Whether the visitor is leaving the page. */
  left: boolean;
  referrer?: string | undefined;
  language?: string | undefined;
  timezone?: string | undefined;
  groupId?: number | undefined;
  browser: Browser;
  variables?: Record<string, string> | undefined;
  goals?: { goalId: number; sale?: Sale | undefined }[] | undefined;
  /** Whether the page can show a greeting and something happened that a greeting may depend on. */
  checksGreeting: boolean;
}

export interface BeaconAnswer {
  /** `false` when the id belongs to another browser. */
  recognised: boolean;
  greeting?: ShownGreeting | undefined;
  /** When a greeting may become due by time alone. */
  checkAgainAt?: Date | undefined;
}

/** Pages send a heartbeat at this interval; two lost heartbeats end the tracking. */
export const HEARTBEAT_SECONDS = 20;
export const TRACKING_TIMEOUT_MS = 45_000;

export interface OpenedPage {
  url: string;
  title: string | null;
  openedAt: Date;
}

/** Everything the beacons of one visitor reported since the last write. */
export interface VisitorActivity extends Omit<Beacon, 'page' | 'opened' | 'secret' | 'variables' | 'goals'> {
  secretHash: Buffer;
  seenAt: Date;
  page: OpenedPage;
  /** Pages opened since then. */
  pages: OpenedPage[];
  variables: Record<string, string>;
  goals: NonNullable<Beacon['goals']>;
}

const MAX_PAGES = 50;
const MAX_GOALS = 50;

export const toActivity = (beacon: Beacon, secretHash: Buffer, seenAt: Date): VisitorActivity => {
  const { secret: _, opened, page: at, variables = {}, goals = [], ...rest } = beacon;
  const page = { url: at.url, title: at.title ?? null, openedAt: seenAt };
  return { ...rest, secretHash, seenAt, page, pages: opened ? [page] : [], variables, goals };
};

/** The first referrer counts; for all other fields the latest value does. */
export const mergeActivities = (earlier: VisitorActivity, later: VisitorActivity): VisitorActivity => ({
  ...later,
  referrer: earlier.referrer ?? later.referrer,
  language: later.language ?? earlier.language,
  timezone: later.timezone ?? earlier.timezone,
  groupId: later.groupId ?? earlier.groupId,
  pages: [...earlier.pages, ...later.pages].slice(-MAX_PAGES),
  variables: { ...earlier.variables, ...later.variables },
  goals: [...earlier.goals, ...later.goals].slice(-MAX_GOALS),
  checksGreeting: earlier.checksGreeting || later.checksGreeting,
});

export const isHeartbeat = ({ pages, variables, goals }: VisitorActivity): boolean =>
  pages.length === 0 && goals.length === 0 && Object.keys(variables).length === 0;
