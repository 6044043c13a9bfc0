import { requireAgent } from '../../access.ts';
import { ALL_AGENTS } from '../../all-agents-group.ts';
import type { OrganizationScope } from '../../scope.ts';
import { searchKeywordOf } from '../greetings/search-keyword.ts';
import type { LiveChat, LivePage, LiveState, LiveVisitor } from './live-records.ts';
import type { DisplayRow, OpenChatRow } from './live-visitor-sql.ts';
import { type LiveVisitorData, readLiveVisitors } from './read-live-visitors.ts';

const isOpen = ({ acceptedAt, canceledAt }: DisplayRow): boolean => !acceptedAt && !canceledAt;
const isRefused = ({ acceptedAt, canceledAt }: DisplayRow): boolean => !acceptedAt && !!canceledAt;

const toDate = (seconds: number): Date => new Date(seconds * 1000);
const toKnownDate = (seconds: number | null): Date | null => (seconds === null ? null : toDate(seconds));

/** Current activity takes precedence over past activity; of past events the latest counts. */
const stateOf = (live: LiveVisitorData): LiveState => {
  const { chat, past, displays } = live;
  if (chat) return chat.queuedAt ? 'queued' : chat.assigneeId || chat.agents ? 'chatting' : 'logging into chat';
  if (displays.some(isOpen)) return 'invited';
  const refusedAt = Math.max(...displays.filter(isRefused).map(({ canceledAt }) => canceledAt!.getTime()));
  const closedAt = past?.closedAt;
  if (closedAt && closedAt.getTime() >= refusedAt) return 'chat closed';
  return Number.isFinite(refusedAt) ? 'refused invitation' : 'browsing';
};

const groupOf = ({ visitor, chat }: LiveVisitorData): number =>
  visitor.visitGroupId ?? chat?.groupIds[0] ?? visitor.ownGroupId ?? ALL_AGENTS;

/** Adds each greeting to the page that was open when it was shown. */
const pathOf = ({ pages, displays }: LiveVisitorData): LivePage[] => {
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

const omitMissing = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } => {
  const some: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) if (value !== null && value !== undefined) some[name] = value;
  return some as never;
};

const toVisitor = (live: LiveVisitorData): LiveVisitor => {
  const { visitor, chat, past, displays } = live;
  return {
    customerId: visitor.customerId,
    id: visitor.visitorId ?? visitor.customerId,
    state: stateOf(live),
    groupId: groupOf(live),
    sessionFields: visitor.sessionFields,
    visitsCount: visitor.visitsCount,
    pageViewsCount: visitor.pageViewsCount,
    chatsCount: past?.chatsCount ?? 0,
    greetings: {
      shown: displays.length,
      accepted: displays.filter(({ acceptedAt }) => acceptedAt).length,
      refused: displays.filter(isRefused).length,
    },
    pages: pathOf(live),
    place: visitor.place ?? {},
    ...omitMissing({
      name: visitor.name,
      invitation: displays.find(isOpen)?.message,
      chat: chat && toChat(chat),
      visitStartedAt: toKnownDate(visitor.startedAt),
      previousVisitAt: toKnownDate(visitor.previousVisitAt),
      referrer: visitor.referrer,
      searchKeyword: visitor.referrer === null ? undefined : searchKeywordOf(visitor.referrer),
      ip: visitor.ip,
      userAgent: visitor.userAgent,
      language: visitor.language,
      timezone: visitor.timezone ?? visitor.place?.timezone,
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
): Promise<LiveVisitorData[]> => {
  requireAgent(scope.actor);
  return (await readLiveVisitors(scope, parts))
    .filter((live) => state === undefined || stateOf(live) === state)
    .filter((live) => groupIds.length === 0 || groupIds.includes(groupOf(live)));
};

/**
 * Lists visitors who are on the site now, latest first. Visitors disappear when they close the last page, or 45 seconds
 * after a crash.
 */
export const listLiveVisitors = async (scope: OrganizationScope, filter: LiveFilter): Promise<LiveVisitor[]> =>
  (await findLive(scope, filter, { paths: true })).map(toVisitor);

export const countLiveVisitors = async (scope: OrganizationScope, filter: LiveFilter): Promise<number> =>
  (await findLive(scope, filter, { paths: false })).length;
