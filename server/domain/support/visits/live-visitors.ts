import { requireAgent } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import type { OrganizationScope } from '../../scope.ts';
import { searchKeywordOf } from '../greetings/search-keyword.ts';
import type { LiveChat, LivePage, LiveState, LiveVisitor } from './live-records.ts';
import type { DisplayRow, OpenChatRow } from './live-statement.ts';
import { type Live, readLive } from './read-live.ts';

const isOpen = ({ acceptedAt, canceledAt }: DisplayRow): boolean => !acceptedAt && !canceledAt;
const isRefused = ({ acceptedAt, canceledAt }: DisplayRow): boolean => !acceptedAt && !!canceledAt;

const toDate = (seconds: number): Date => new Date(seconds * 1000);
const toKnownDate = (seconds: number | null): Date | null => (seconds === null ? null : toDate(seconds));

/** What happens now comes before what was; of two things that were, the later one counts. */
const stateOf = (live: Live): LiveState => {
  const { chat, past, displays } = live;
  if (chat) return chat.queuedAt ? 'queued' : chat.assigneeId || chat.agents ? 'chatting' : 'logging into chat';
  if (displays.some(isOpen)) return 'invited';
  const refusedAt = Math.max(...displays.filter(isRefused).map(({ canceledAt }) => canceledAt!.getTime()));
  const closedAt = past?.closedAt;
  if (closedAt && closedAt.getTime() >= refusedAt) return 'chat closed';
  return Number.isFinite(refusedAt) ? 'refused invitation' : 'browsing';
};

const groupOf = ({ here, chat }: Live): number =>
  here.visitGroupId ?? chat?.groupIds[0] ?? here.ownGroupId ?? ALL_AGENTS;

/** The page that was open when a greeting was shown. */
const pathOf = ({ pages, displays }: Live): LivePage[] => {
  const path: LivePage[] = pages.map(({ url, title, openedAt }) => ({ url, title, openedAt: toDate(openedAt) }));
  for (const { message, displayedAt } of displays) {
    const page = path.findLast(({ openedAt }) => openedAt <= displayedAt);
    if (page) page.invitation = message;
  }
  return path;
};

const toChat = ({ threadId, groupIds, startedAt, queuedAt, agents, surveys }: OpenChatRow): LiveChat => ({
  threadId,
  groupIds,
  startedAt,
  ...(queuedAt ? { queuedAt } : {}),
  agents: agents ?? [],
  surveys: surveys ?? [],
});

const known = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } => {
  const some: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== null && value !== undefined) some[name] = value;
  return some as never;
};

const toVisitor = (live: Live): LiveVisitor => {
  const { here, chat, past, displays } = live;
  return {
    customerId: here.customerId,
    id: here.visitorId ?? here.customerId,
    state: stateOf(live),
    groupId: groupOf(live),
    sessionFields: here.sessionFields,
    visitsCount: here.visitsCount,
    pageViewsCount: here.pageViewsCount,
    chatsCount: past?.chatsCount ?? 0,
    greetings: {
      shown: displays.length,
      accepted: displays.filter(({ acceptedAt }) => acceptedAt).length,
      refused: displays.filter(isRefused).length,
    },
    pages: pathOf(live),
    place: here.place ?? {},
    ...known({
      name: here.name,
      invitation: displays.find(isOpen)?.message,
      chat: chat && toChat(chat),
      visitStartedAt: toKnownDate(here.startedAt),
      previousVisitAt: toKnownDate(here.previousVisitAt),
      referrer: here.referrer,
      searchKeyword: here.referrer === null ? undefined : searchKeywordOf(here.referrer),
      ip: here.ip,
      userAgent: here.userAgent,
      language: here.language,
      timezone: here.timezone ?? here.place?.timezone,
    }),
  };
};

export interface LiveFilter {
  state?: LiveState | undefined;
  groupIds?: readonly number[] | undefined;
}

const findLive = async (
  scope: OrganizationScope,
  { state, groupIds = [] }: LiveFilter,
  parts: { paths: boolean },
): Promise<Live[]> => {
  requireAgent(scope.actor);
  return (await readLive(scope, parts))
    .filter((live) => state === undefined || stateOf(live) === state)
    .filter((live) => groupIds.length === 0 || groupIds.includes(groupOf(live)));
};

/** Everybody who is on the site now, latest first. Whoever closed the last page is gone at once, or 45 seconds after a crash. */
export const listLiveVisitors = async (scope: OrganizationScope, filter: LiveFilter): Promise<LiveVisitor[]> =>
  (await findLive(scope, filter, { paths: true })).map(toVisitor);

export const countLiveVisitors = async (scope: OrganizationScope, filter: LiveFilter): Promise<number> =>
  (await findLive(scope, filter, { paths: false })).length;
