import { requireAgent } from '../access.ts';
import { searchKeywordOf } from '../greetings/search-keyword.ts';
import { ALL_AGENTS } from '../groups/online.ts';
import type { OrganizationScope } from '../scope.ts';
import type { LiveChat, LivePage, LiveState, LiveVisitor } from './live-records.ts';
import { LIVE_VISITORS, type LiveRow } from './live-statement.ts';

type Display = NonNullable<LiveRow['displays']>[number];

const isOpen = ({ accepted, canceledAt }: Display): boolean => !accepted && canceledAt === null;
const isRefused = ({ accepted, canceledAt }: Display): boolean => !accepted && canceledAt !== null;

/** What happens now comes before what was; of two things that were, the later one counts. */
const stateOf = ({ threadId, queuedAt, assigneeId, agents, closedAt, displays }: LiveRow): LiveState => {
  if (threadId && queuedAt) return 'queued';
  if (threadId) return assigneeId || agents ? 'chatting' : 'logging into chat';
  const shown = displays ?? [];
  if (shown.some(isOpen)) return 'invited';
  const refusedAt = Math.max(...shown.filter(isRefused).map(({ canceledAt }) => Date.parse(canceledAt!)));
  if (closedAt && closedAt.getTime() >= refusedAt) return 'chat closed';
  return Number.isFinite(refusedAt) ? 'refused invitation' : 'browsing';
};

/** The page that was open when a greeting was shown. */
const pagesOf = ({ pages, displays }: LiveRow): LivePage[] => {
  const path: LivePage[] = (pages ?? []).map((page) => ({ ...page, openedAt: new Date(page.openedAt) }));
  for (const { message, at } of displays ?? []) {
    const page = path.findLast(({ openedAt }) => openedAt.getTime() <= Date.parse(at));
    if (page) page.invitation = message;
  }
  return path;
};

const chatOf = (row: LiveRow): LiveChat | undefined =>
  row.threadId && row.chatStartedAt
    ? {
        threadId: row.threadId,
        groupIds: row.chatGroupIds ?? [],
        startedAt: row.chatStartedAt,
        ...(row.queuedAt ? { queuedAt: row.queuedAt } : {}),
        agents: row.agents ?? [],
        surveys: row.surveys ?? [],
      }
    : undefined;

const known = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)) as never;

const toVisitor = (row: LiveRow): LiveVisitor => {
  const displays = row.displays ?? [];
  const timezone = row.timezone ?? row.place?.timezone;
  return {
    customerId: row.customerId,
    id: row.visitorId ?? row.customerId,
    state: stateOf(row),
    groupId: row.visitGroupId ?? row.chatGroupIds?.[0] ?? row.ownGroupId ?? ALL_AGENTS,
    sessionFields: row.sessionFields,
    visitsCount: row.visitsCount,
    pageViewsCount: row.pageViewsCount,
    chatsCount: row.chatsCount,
    greetings: {
      shown: displays.length,
      accepted: displays.filter(({ accepted }) => accepted).length,
      refused: displays.filter(isRefused).length,
    },
    pages: pagesOf(row),
    place: row.place ?? {},
    ...known({
      name: row.name,
      invitation: displays.find(isOpen)?.message,
      chat: chatOf(row),
      visitStartedAt: row.startedAt,
      previousVisitAt: row.previousVisitAt,
      referrer: row.referrer,
      searchKeyword: row.referrer === null ? undefined : searchKeywordOf(row.referrer),
      ip: row.ip,
      userAgent: row.userAgent,
      language: row.language,
      timezone,
    }),
  };
};

export interface LiveFilter {
  state?: LiveState | undefined;
  groupIds?: readonly number[] | undefined;
}

/** Everybody who is on the site now, latest first. Whoever closed the last page is gone at once, or 45 seconds after a crash. */
export const listLiveVisitors = async (
  scope: OrganizationScope,
  { state, groupIds }: LiveFilter,
): Promise<LiveVisitor[]> => {
  requireAgent(scope.actor);
  const { rows } = await scope.executor.query<LiveRow>({
    name: 'live_visitors',
    text: LIVE_VISITORS,
    values: [scope.organizationId, scope.now()],
  });
  const wanted = new Set(groupIds);
  return rows
    .map(toVisitor)
    .filter((visitor) => state === undefined || visitor.state === state)
    .filter(({ groupId }) => wanted.size === 0 || wanted.has(groupId));
};
